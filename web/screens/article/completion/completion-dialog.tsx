import { Button, Checkbox, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { wordsOf } from '../../../ui/figure.ts'
import { Moon } from '../../../ui/moon.tsx'
import { minimumText } from '../scorecard/scorecard.tsx'
import type { Score } from '../scorecard/scorecard-store.ts'
import classes from './completion.module.css'

/** Wide enough for the summary (spec section 9). */
const WIDTH = 650

type CompletionDialogProps = {
  opened: boolean
  view: ArticleView
  readScore: () => Score
  onClose: () => void
  onConfirm: () => void
  onClosed: () => void
}

export function CompletionDialog({
  opened,
  onClose,
  onClosed,
  ...question
}: CompletionDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size={WIDTH}
      title="Mark Article as Complete?"
      classNames={{ header: classes.header, body: classes.body }}
    >
      <Question {...question} onCancel={onClose} />
    </Modal>
  )
}

type QuestionProps = {
  view: ArticleView
  readScore: () => Score
  onConfirm: () => void
  onCancel: () => void
}

/** Lives as long as the dialog is open, so that each opening starts without the tick. */
function Question({ view, readScore, onConfirm, onCancel }: QuestionProps) {
  const [score] = useState(readScore)
  const [confirmed, setConfirmed] = useState(false)
  const [asked, setAsked] = useState(false)

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (confirmed) onConfirm()
    else setAsked(true)
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <p className={classes.sentence}>
        ‘{view.name}’ will move to Completed Articles and the editor will become read-only. Only the
        agency can reopen it.
      </p>
      <Summary score={score} minimum={view.wordMinimum} />
      <Shortfalls score={score} minimum={view.wordMinimum} />
      <Checkbox
        className={classes.confirm}
        label="Confirm"
        checked={confirmed}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
        error={asked && !confirmed && 'Please confirm to continue.'}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">Complete Article</Button>
      </div>
    </form>
  )
}

type SummaryProps = { score: Score; minimum: number }

function Summary({ score: { words, groups }, minimum }: SummaryProps) {
  const tone = minimumVerdict(words, minimum) === 'warning' ? 'warn' : 'full'
  return (
    <div className={classes.summary}>
      <Moon size={34} k={moonPhase(words, minimum)} tone={tone} />
      <dl className={classes.figures}>
        <div>
          <dt>{minimumText(minimum)}</dt>
          <dd>{wordsOf(words)}</dd>
        </div>
        {groups.map(({ category, used, total }) => (
          <div key={category}>
            <dt>{category}</dt>
            <dd>
              {used}/{total}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Said, never in the way: an article may be completed short of everything (Q53). */
function Shortfalls({ score, minimum }: SummaryProps) {
  const lines = shortfalls(score, minimum)
  if (lines.length === 0) return null
  return (
    <ul className={classes.shortfalls}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const UNUSED_NAMED_MAX = 8

export function shortfalls({ words, unused }: Score, minimum: number): string[] {
  const lines: string[] = []
  const missing = minimum - words
  if (missing > 0) lines.push(`${wordsOf(missing)} below the minimum.`)
  if (minimum > 0 && words === minimum) lines.push('At the minimum: one more word.')
  if (unused.length > 0) lines.push(`Not used: ${named(unused)}.`)
  return lines
}

function named(keywords: string[]): string {
  const rest = keywords.length - UNUSED_NAMED_MAX
  const names = keywords.slice(0, UNUSED_NAMED_MAX).join(', ')
  return rest > 0 ? `${names} and ${rest} more` : names
}
