import { Button } from '@mantine/core'
import { asDocument } from '../../domain/text/document.ts'
import { readSyncSummary } from '../../sync/status/sync-summary.ts'
import { readWaiting, type WaitingChange } from '../../sync/status/waiting-changes.ts'
import { readDraft } from '../../sync/store/draft-rows.ts'
import { useDatabase, useNow, useSync } from '../app/app-context.tsx'
import { articlePath } from '../app/paths.ts'
import { useDates } from '../app/use-dates.ts'
import { LIST_REST_MS } from '../throttled-live-query.ts'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { useLocalQuery } from '../use-local-query.ts'
import { copyWords, useKeptText } from './kept-text.ts'
import outbox from './outbox.module.css'
import { changeWords, nothingWaits, stateWords } from './outbox-words.ts'
import { needsRemedy, Remedy } from './remedy.tsx'
import classes from './waiting-changes.module.css'

const A_SECOND_MS = 1_000

/** Every change that the agency does not have; queried only while it is shown. */
export function WaitingChanges() {
  const sync = useSync()
  const database = useDatabase()
  const now = useNow(A_SECOND_MS)
  const dates = useDates()
  const changes = useLocalQuery(() => readWaiting(database), [database], LIST_REST_MS)
  const summary = useLocalQuery(() => readSyncSummary(database), [database], LIST_REST_MS)
  if (!changes || !summary) return <p className={outbox.nothing}>Loading…</p>
  if (changes.length === 0) {
    return <p className={outbox.nothing}>{nothingWaits(summary.lastCheckedAt, { dates, now })}</p>
  }
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>Not sent yet</h2>
        {needsRemedy(summary) ? (
          <Remedy summary={summary} />
        ) : (
          <Button variant="default" size="xs" onClick={() => sync.wake()}>
            Send now
          </Button>
        )}
      </div>
      <ul className={classes.list} aria-label="Changes that wait">
        {changes.map((change) => (
          <li key={change.seq ?? change.articleId} className={classes.change}>
            <a
              className={classes.name}
              dir="auto"
              href={articlePath(change.articleId)}
              target="_blank"
              rel="noopener"
            >
              {change.name || 'An article without a name'}
              <span className="visually-hidden"> (opens in a new tab)</span>
            </a>
            <p className={classes.kind}>{changeWords(change, { dates, now })}</p>
            <p className={classes.state} data-state={change.state.kind}>
              {stateWords(change, summary, now)}
            </p>
            {canBeCopied(change) && <CopyText {...change} />}
            <NoteActions {...change} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** What no row has is older here: a page that has it in memory has a button of its own. */
const canBeCopied = ({ kind, state }: WaitingChange): boolean =>
  (kind === 'text' || kind === 'undelivered') && state.kind !== 'memory' && state.kind !== 'left'

function CopyText({ articleId, name }: WaitingChange) {
  const database = useDatabase()
  const { copyText } = useKeptText(name, async () => {
    const draft = await readDraft(database, articleId)
    if (!draft) throw new Error('The text is gone from this computer')
    return asDocument(draft.doc)
  })
  return <TextButton onClick={() => void copyText()}>Copy text</TextButton>
}

/** Copies or removes a note, which is not possible on the article page after access was removed. */
function NoteActions({ seq, kind, noteText, state }: WaitingChange) {
  const sync = useSync()
  return (
    <>
      {noteText !== null && (
        <TextButton onClick={() => void copyWords(noteText)}>Copy note</TextButton>
      )}{' '}
      {kind === 'note' && seq !== null && state.kind === 'blocked' && (
        <TextButton onClick={() => void sync.removeNote(seq)}>Remove</TextButton>
      )}
    </>
  )
}
