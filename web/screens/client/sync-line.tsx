import { Check, CloudOff, HardDrive, RefreshCw, TriangleAlert } from 'lucide-react'
import type { Dates } from '../../../domain/calendar/dates.ts'
import type { BlockedText } from '../../../sync/status/blocked-drafts.ts'
import type { SyncSummary } from '../../../sync/status/sync-summary.ts'
import { useNow } from '../../app/app-context.tsx'
import { useDates } from '../../app/use-dates.ts'
import { figure } from '../../ui/words/figure.ts'
import { NextTry } from '../../unsent/next-try.tsx'
import { Outbox } from '../../unsent/outbox.tsx'
import { Remedy } from '../../unsent/remedy.tsx'
import classes from './sync-line.module.css'

const A_MINUTE_MS = 60_000

type SyncLineProps = { summary: SyncSummary | undefined; blocked: readonly BlockedText[] }

/** One truth about all articles on this computer; pressed, it lists all that waits. */
export function SyncLine({ summary, blocked }: SyncLineProps) {
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const state = summary && syncState(summary, blocked, { dates, now })
  const Icon = state && ICONS[state.kind]
  return (
    <div className={classes.line} role="status" data-kind={state?.kind}>
      {state && Icon && (
        <Outbox position="bottom-end">
          <Icon size={16} strokeWidth={1.7} aria-hidden="true" />
          {state.text}
          {state.dueAt !== undefined && (
            <>
              {' '}
              <NextTry at={state.dueAt} />
            </>
          )}
        </Outbox>
      )}
      {summary && <Remedy summary={summary} />}
    </div>
  )
}

const ICONS = {
  saved: Check,
  sending: RefreshCw,
  waiting: CloudOff,
  here: HardDrive,
  unkept: TriangleAlert,
}

/** `dueAt`: when what the server did not take is sent again, in milliseconds since 1970. */
type SyncState = { kind: keyof typeof ICONS; text: string; dueAt?: number }

/**
 * `blocked`: the texts that their articles did not take. They wait, but not for the connection. Null
 * while nothing is known yet.
 */
export function syncState(
  summary: SyncSummary,
  blocked: readonly Pick<BlockedText, 'sentAt'>[],
  { dates, now }: { dates: Dates; now: number },
): SyncState | null {
  const { connection, failure, signInNeeded, updateNeeded } = summary
  const { lastCheckedAt, inMemory, withoutRoom, refusedNotes } = summary
  const waiting = summary.waiting - blocked.length
  if (inMemory > 0) {
    return {
      kind: 'unkept',
      text: `${counted(inMemory)} not saved — this computer could not store ${inMemory === 1 ? 'it' : 'them'}`,
    }
  }
  if (withoutRoom > 0)
    return { kind: 'waiting', text: `${keptHere(withoutRoom)} — waiting for room` }
  if (signInNeeded) return { kind: 'waiting', text: `${keptHere(waiting)} — log in again to send` }
  if (updateNeeded) {
    return { kind: 'waiting', text: `${keptHere(waiting)} — a new version is needed` }
  }
  if (waiting > 0 && connection === 'offline') {
    return { kind: 'waiting', text: `${keptHere(waiting)} — waiting for the connection` }
  }
  if (waiting > 0 && failure?.cause === 'server') {
    const text = `${keptHere(waiting)} — the server had a problem.`
    return { kind: 'here', text, dueAt: failure.dueAt }
  }
  if (waiting > 0) return { kind: 'sending', text: `Sending ${counted(waiting)}…` }
  if (blocked.some(({ sentAt }) => sentAt === null))
    return { kind: 'here', text: `${keptHere(blocked.length)} — the server rejected it` }
  if (refusedNotes > 0) {
    const notes = refusedNotes === 1 ? '1 note' : `${figure(refusedNotes)} notes`
    return { kind: 'here', text: `${notes} saved on this computer — the server rejected it` }
  }
  if (blocked.length > 0) {
    const texts = blocked.length === 1 ? '1 text' : `${blocked.length} texts`
    return { kind: 'here', text: `${texts} delivered to the agency separately` }
  }
  if (lastCheckedAt === null) return null
  return {
    kind: 'saved',
    text: `Everything is saved. Last checked ${dates.timeOf(lastCheckedAt, now)}`,
  }
}

const keptHere = (count: number): string => `${counted(count)} saved on this computer`
const counted = (count: number): string => (count === 1 ? '1 article' : `${count} articles`)
