import { Button, UnstyledButton } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import type { Passage } from '../../../../domain/text/passages.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { figure } from '../../../ui/words/figure.ts'
import { useLeaveByEscape } from '../layout/use-leave-by-escape.ts'
import { PanelFoot, SidePanel } from '../panel/side-panel.tsx'
import type { FoundPassage } from './changed-passages.ts'
import { excerptOf } from './excerpt.ts'
import { linkWords } from './link-words.ts'
import classes from './review-panel.module.css'
import type { Review } from './use-review.ts'

type ReviewPanelProps = {
  review: Review
  readOnly: boolean
  /** The panel went: by Escape or the way back, or with everything kept. */
  onLeft: () => void
  onKept: () => void
}

/** Replaces the scorecard; the text stays editable. */
export function ReviewPanel({ review, readOnly, onLeft, onKept }: ReviewPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const dates = useDates()
  const who = whoAndWhen(review, dates, useNow(60_000))
  useEffect(() => panel.current?.querySelector<HTMLElement>('[data-entry]')?.focus(), [])
  const leave = () => {
    review.leave()
    onLeft()
  }
  useLeaveByEscape(leave)

  function handleKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = review.current + step
    if (!review.found[next]) return
    review.select(next)
    panel.current?.querySelectorAll<HTMLElement>('[data-entry]')[next]?.focus()
  }

  return (
    <SidePanel
      ref={panel}
      title={isAway(review) ? 'Changes since you were last here' : 'Changes from elsewhere'}
      intro={introText(review.found.length)}
      onBack={leave}
    >
      <ul className={classes.list} onKeyDown={handleKeyDown}>
        {review.found.map((found, index) => (
          <Entry key={keyOf(found)} {...{ review, readOnly, found, index, who }} />
        ))}
      </ul>
      <PanelFoot>
        <Button
          onClick={() => {
            review.close()
            onKept()
          }}
        >
          Keep all and close
        </Button>
      </PanelFoot>
    </SidePanel>
  )
}

/** All of them. */
const isAway = ({ changes: { kinds } }: Review): boolean => Object.keys(kinds).join() === 'away'

const keyOf = ({ passage: { from, newFrom } }: FoundPassage): string => `${from} ${newFrom}`

const NUMBERS = ['', 'One', 'These two', 'These three', 'These four', 'These five', 'These six']

function introText(count: number): string {
  if (count === 1)
    return 'One passage was changed on another computer. It is already part of the article.'
  const these = NUMBERS[count] ?? `These ${figure(count)}`
  return `${these} passages were changed on another computer. They are already part of the article.`
}

function whoAndWhen({ changes: { by, at } }: Review, dates: Dates, now: number): string {
  const names = by.map(({ name }) => name).join(', ') || 'Another computer'
  return `${names}, ${dates.timeOf(at, now)}`
}

type EntryProps = {
  review: Review
  readOnly: boolean
  found: FoundPassage
  index: number
  who: string
}

function Entry({ review, readOnly, found, index, who }: EntryProps) {
  const isCurrent = index === review.current
  const { passage, state } = found
  return (
    <li className={classes.entry} data-current={isCurrent}>
      <UnstyledButton
        className={classes.select}
        data-entry
        aria-current={isCurrent}
        onClick={() => review.select(index)}
      >
        <span className={classes.section} dir="auto">
          {placeName(passage)}
        </span>
        <span className={classes.who}>{who}</span>
        <PassageWords passage={passage} />
      </UnstyledButton>
      <div role="status">
        {state === 'undone' && (
          <p className={classes.note}>Undone. Your text stands there again.</p>
        )}
        {isCurrent && review.refused && state !== 'undone' && (
          <p className={classes.note}>This passage has changed since and was left as it is.</p>
        )}
      </div>
      {isCurrent && state !== 'undone' && !readOnly && (
        <Button
          className={classes.undo}
          variant="default"
          size="compact-sm"
          leftSection={<Undo2 size={14} strokeWidth={1.7} aria-hidden />}
          onClick={review.undoCurrent}
        >
          Undo this change
        </Button>
      )}
    </li>
  )
}

/** Where in the article it is. */
export const placeName = ({ section, paragraph }: Passage): string =>
  section ?? (paragraph === null ? 'At the beginning' : `Paragraph ${paragraph}`)

type PassageWordsProps = { passage: Passage }

/** The changed words, with a little of the text around them. */
export function PassageWords({ passage }: PassageWordsProps) {
  const { runs, links } = passage
  const other = changeWithoutWords(passage)
  const hasWords = runs.some(({ kind, text }) => kind !== 'same' && text.trim() !== '')
  return (
    <>
      <span className={classes.words} dir="auto">
        {excerptOf(runs).map(({ kind, text }, index) => {
          const Tag = { same: 'span', removed: 'del', inserted: 'ins' }[kind] as 'span'
          const [, before, words, after] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? []
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other name and never move
            <Fragment key={index}>
              {before}
              <Tag>{words}</Tag>
              {after}
            </Fragment>
          )
        })}
      </span>
      {!hasWords && other !== null && <span className={classes.who}>{other}</span>}
      {links.map(linkWords).map((words) => (
        <span key={words} className={classes.link}>
          {words}
        </span>
      ))}
    </>
  )
}

/** Null where only links changed, which are named one by one. */
function changeWithoutWords({ runs, layoutChanged, marksChanged, links }: Passage): string | null {
  if (layoutChanged) return 'The paragraphs were changed.'
  const isOfSpaces = runs.some(({ kind, text }) => kind !== 'same' && /[^\n]/.test(text))
  if (isOfSpaces) return 'Only spaces changed.'
  return marksChanged || links.length === 0 ? 'Only the formatting changed.' : null
}
