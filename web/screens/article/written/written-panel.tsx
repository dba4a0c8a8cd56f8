import { Button } from '@mantine/core'
import { ArrowDownToLine, Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { relativeDay } from '../../../../domain/calendar/moments.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { RecordedSitting, WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { useNow } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { wordsOf } from '../../../ui/words/figure.ts'
import { useLeaveByEscape } from '../layout/use-leave-by-escape.ts'
import { PanelFoot, SidePanel } from '../panel/side-panel.tsx'
import { byDay } from '../versions/by-day.ts'
import { MarkLine } from '../versions/mark-line.tsx'
import { authorWords, handInMark, spanWords } from '../versions/sitting-words.ts'
import { useAddedRecord } from './added-record.ts'
import { useWritingRecord } from './use-writing-record.ts'
import classes from './written-panel.module.css'
import {
  atLeastNote,
  introWords,
  PRUNING_NOTE,
  partWords,
  shareWords,
  sittingChange,
  stepWords,
} from './written-words.ts'

type WrittenPanelProps = {
  articleId: string
  /** Whose text it is; null for the current text. */
  handIn: HandIn | null
  /** The text was handed in again since. */
  isEarlier?: boolean
  /** The name of the way back. */
  back: string
  onBack: () => void
}

/** The sittings in which a text was written, and how much of it was first there in each. */
export function WrittenPanel({ articleId, handIn, isEarlier, back, onBack }: WrittenPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const { outcome, tryAgain } = useWritingRecord(articleId, handIn?.textVersion ?? null)
  const dates = useDates()
  useLeaveByEscape(onBack)
  useEffect(() => panel.current?.querySelector('button')?.focus(), [])
  const record = outcome?.record ?? null
  const isOffline = useOffline()
  const isWhole = outcome?.reading === 'whole'
  const hasSittings = record !== null && record.versions > 1
  const upTo = handIn && isEarlier ? `Up to hand-in ${handIn.number}. ` : ''
  return (
    <SidePanel
      ref={panel}
      title="How this text was written"
      intro={
        hasSittings
          ? `${upTo}${introWords(record, dates)} The bars show how much of the final text was first written then.`
          : null
      }
      back={back}
      onBack={onBack}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <section className={classes.scroller} tabIndex={0} aria-label="Sittings">
        {hasSittings && <Sittings {...{ record, isWhole }} />}
        {record?.versions === 1 && isWhole && (
          <p className={classes.none}>There is only one version of this text.</p>
        )}
        {outcome?.reading === 'failed' && (
          <p className={classes.notes} role="alert">
            Couldn’t load the versions. <TextButton onClick={tryAgain}>Try again</TextButton>
          </p>
        )}
      </section>
      <p className={classes.state} role="status">
        {outcome === null && 'Loading…'}
        {outcome?.reading === 'partly' && record && partWords(record, isOffline)}
        {outcome?.reading === 'partly' && !isOffline && (
          <>
            {' '}
            <TextButton onClick={tryAgain}>Try again</TextButton>
          </>
        )}
      </p>
      {handIn?.receipt && hasSittings && (
        <AddToReceipt {...{ articleId, handIn, record, isWhole }} />
      )}
    </SidePanel>
  )
}

const A_MINUTE_MS = 60_000

function Sittings({ record, isWhole }: { record: WritingRecord; isWhole: boolean }) {
  const { sittings, largestStep } = record
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const atLeast = atLeastNote(record, isWhole)
  const days = byDay(
    sittings,
    ({ from }) => from,
    (at) => relativeDay(at, now, dates),
  )
  return (
    <>
      {days.map(([day, ofDay]) => (
        <div key={day}>
          <h3 className={classes.day}>{day}</h3>
          <ul className={classes.list}>
            {ofDay.map((sitting) => (
              <Sitting key={sitting.from} {...{ day, sitting }} />
            ))}
          </ul>
        </div>
      ))}
      <div className={classes.notes}>
        {largestStep && (
          <p>
            <b>Largest step:</b> {stepWords(largestStep, (at) => dates.nearDate(at, now), dates)}
          </p>
        )}
        <p className={classes.note}>{PRUNING_NOTE}</p>
        {atLeast && <p className={classes.note}>{atLeast}</p>}
      </div>
    </>
  )
}

function Sitting({ day, sitting }: { day: string; sitting: RecordedSitting }) {
  const { authors, words, share, handIns } = sitting
  const dates = useDates()
  const span = spanWords(sitting, dates)
  const change = sittingChange(sitting)
  const marks = handIns.map(handInMark)
  const sentence = [
    day,
    span.read,
    ...(authors.length > 0 ? [enumerated(authors)] : []),
    wordsOf(words),
    ...(change ? [change.read] : []),
    ...marks.map((mark) => mark.words),
    ...(share ? [`${shareWords(share).replace('%', ' percent')} of the final text`] : []),
  ]
  return (
    <li>
      <p className="visually-hidden">{sentence.join(', ')}</p>
      <div className={classes.sitting} aria-hidden="true">
        <span className={classes.time}>{span.shown}</span>
        <span className={classes.figure}>{wordsOf(words)}</span>
        <bdi>{authorWords(authors).shown}</bdi>
        <span className={classes.figure}>{change?.shown}</span>
        {marks.map((mark) => (
          <MarkLine key={mark.words} {...mark} />
        ))}
        {share && (
          <span className={classes.share}>
            <span className={classes.track}>
              <span className={classes.bar} style={{ width: `${share.percent}%` }} />
            </span>
            <span className={classes.percent}>{shareWords(share)}</span>
          </span>
        )}
      </div>
    </li>
  )
}

type AddToReceiptProps = {
  articleId: string
  handIn: HandIn
  record: WritingRecord
  isWhole: boolean
}

function AddToReceipt({ articleId, handIn, record, isWhole }: AddToReceiptProps) {
  const { added, add, leaveOut } = useAddedRecord(articleId, handIn)
  if (added === undefined) return null
  return (
    <PanelFoot>
      {added ? (
        <p className={classes.added}>
          <Check size={16} strokeWidth={1.7} aria-hidden />
          In the saved receipt
          <TextButton onClick={leaveOut}>Leave out</TextButton>
        </p>
      ) : (
        <>
          <Button
            variant="default"
            leftSection={<ArrowDownToLine size={16} strokeWidth={1.7} aria-hidden />}
            onClick={() =>
              isWhole
                ? add(record)
                : notices.info('Can’t add this now', 'You need a connection to add this.')
            }
          >
            Add to the saved receipt
          </Button>
          <p className={classes.note}>The agency sees this only in the receipt.</p>
        </>
      )}
    </PanelFoot>
  )
}
