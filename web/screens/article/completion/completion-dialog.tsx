import { Button, Checkbox, Modal, UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type FormEvent, Fragment, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { missingHeadings } from '../../../../domain/keywords/brief-headings.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import type { DocumentNode } from '../../../../domain/text/document.ts'
import { emptyHeadings } from '../../../../domain/text/empty-headings.ts'
import { linksOf } from '../../../../domain/text/links.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { Moon } from '../../../ui/moon/moon.tsx'
import { figure, wordsOf } from '../../../ui/words/figure.ts'
import { minimumText } from '../../../ui/words/minimum-text.ts'
import { useLocalQuery } from '../../../use-local-query.ts'
import { shownDocument } from '../editor/shown-document.ts'
import { type NotesStore, openCount, openNotesOf } from '../notes/notes-state.ts'
import { inTextOrder } from '../notes/text-order.ts'
import type { Score } from '../scorecard/scorecard-store.ts'
import type { CountedEntities } from '../scorecard/use-scorecard.ts'
import classes from './completion.module.css'

/** Wide enough for the summary (spec section 9). */
const WIDTH = 650

type CompletionDialogProps = Asked & {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  onClosed: () => void
  /** Shows the notes of the article. */
  showNotes: () => void
}

/** What the question is about. */
type Asked = {
  view: ArticleView
  editor: Editor
  readScore: () => Score
  /** Null until the code that counts is loaded. */
  counted: CountedEntities | null
  notes: NotesStore
}

export function CompletionDialog({
  opened,
  onClose,
  onClosed,
  showNotes,
  notes,
  ...question
}: CompletionDialogProps) {
  const leadsToNotes = useRef(false)
  function handleClosed() {
    onClosed()
    if (!leadsToNotes.current) return
    leadsToNotes.current = false
    const state = notes.getState()
    const [first] = inTextOrder(openNotesOf(state), state)
    notes.setState({ current: first?.ref ?? null })
    showNotes()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={handleClosed}
      size={WIDTH}
      title="Mark Article as Complete?"
      classNames={{ header: classes.header, body: classes.body }}
    >
      <Question
        {...question}
        notes={notes}
        onCancel={onClose}
        onShowNotes={() => {
          leadsToNotes.current = true
          onClose()
        }}
      />
    </Modal>
  )
}

type QuestionProps = Asked & {
  onConfirm: () => void
  onCancel: () => void
  onShowNotes: () => void
}

/** Lives as long as the dialog is open, so that each opening starts without the tick. */
function Question(props: QuestionProps) {
  const { view, editor, readScore, counted, notes, onConfirm, onCancel, onShowNotes } = props
  const [score] = useState(readScore)
  const [document] = useState(() => shownDocument(editor.state.doc))
  const empty = useMemo(() => emptyHeadings(document), [document])
  const links = useMemo(() => linksOf(document).length, [document])
  const absent = useMissingHeadings(view.id, document)
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
      <Shortfalls
        {...{ score, empty, absent, links, editor, counted, notes, onShowNotes }}
        minimum={view.wordMinimum}
        isSending={SENDING.includes(view.saveLine)}
      />
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

/** What the brief asks for, as far as this computer has it. */
function useMissingHeadings(articleId: string, document: DocumentNode): string[] {
  const database = useDatabase()
  const brief = useLocalQuery(
    async () => (await database.plans.get(articleId))?.brief,
    [database, articleId],
  )
  return useMemo(() => missingHeadings(brief ?? '', document), [brief, document])
}

/** The last words are on this computer, and not with the agency yet. */
const SENDING: readonly ArticleView['saveLine'][] = ['saving', 'on-this-computer', 'no-room']

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

type ShortfallsProps = SummaryProps & {
  empty: readonly string[]
  absent: readonly string[]
  /** How many; only a fact. */
  links: number
  editor: Editor
  counted: CountedEntities | null
  isSending: boolean
} & Pick<QuestionProps, 'notes' | 'onShowNotes'>

/** Said, never in the way: an article may be completed short of everything (Q53). */
function Shortfalls(props: ShortfallsProps) {
  const { score, minimum, empty, absent, links, editor, counted, isSending, notes, onShowNotes } =
    props
  const sending = isSending ? ['Your last words are still being sent. They go first.'] : []
  const facts = links === 0 ? [] : [links === 1 ? '1 link' : `${figure(links)} links`]
  const lines = [...shortfalls(score, minimum, empty, absent), ...sending, ...facts]
  const { unused } = score
  const open = useStore(notes, openCount)
  if (lines.length === 0 && open === 0 && unused.length === 0) return null
  return (
    <ul className={classes.shortfalls}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {open > 0 && (
        <li>
          {open === 1 ? '1 note is open.' : `${figure(open)} notes are open.`}{' '}
          <TextButton onClick={onShowNotes}>{open === 1 ? 'Show it' : 'Show them'}</TextButton>
        </li>
      )}
      {unused.length > 0 && <Unused {...{ unused, editor, counted }} />}
    </ul>
  )
}

const NAMED_MAX = 8

export function shortfalls(
  { words }: Pick<Score, 'words'>,
  minimum: number,
  empty: readonly string[] = [],
  absent: readonly string[] = [],
): string[] {
  const lines: string[] = []
  const missing = minimum - words
  if (missing > 0) lines.push(`${wordsOf(missing)} below the minimum.`)
  if (minimum > 0 && words === minimum) lines.push('At the minimum: one more word.')
  if (empty.length > 0) {
    const headings =
      empty.length === 1
        ? '1 heading has no text below it'
        : `${empty.length} headings have no text below them`
    lines.push(`${headings}: ${quoted(empty)}.`)
  }
  if (absent.length > 0)
    lines.push(`The brief asks for headings that are not here: ${quoted(absent)}.`)
  return lines
}

const quoted = (names: readonly string[]) => named(names.map((name) => `‘${name}’`))

function named(names: readonly string[]): string {
  const rest = names.length - NAMED_MAX
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

type UnusedProps = Pick<ShortfallsProps, 'editor' | 'counted'> & { unused: readonly string[] }

/** Each name opens the reason why it does not count. */
function Unused({ unused, editor, counted }: UnusedProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const shown = unused.slice(0, NAMED_MAX)
  const rest = unused.length - shown.length
  return (
    <li onKeyDown={(event) => event.key === 'Escape' && setOpened(null)}>
      Not used:{' '}
      {shown.map((keyword, at) => (
        <Fragment key={keyword}>
          {at > 0 && ', '}
          {counted ? (
            <UnstyledButton
              className={classes.unused}
              aria-expanded={opened === keyword}
              // Escape closes the card, not the dialog.
              data-mantine-stop-propagation={opened === keyword || undefined}
              onClick={() => setOpened(opened === keyword ? null : keyword)}
            >
              {keyword}
            </UnstyledButton>
          ) : (
            keyword
          )}
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}.
      {counted && opened !== null && (
        <counted.tools.NearMissesCard
          {...{ editor, places: counted.places }}
          key={opened}
          keyword={opened}
          mode="explain"
        />
      )}
    </li>
  )
}
