import { Check, CloudOff, HardDrive, RefreshCw, TriangleAlert } from 'lucide-react'
import type { HeldText } from '../../../sync/strays.ts'
import type { SyncSummary } from '../../../sync/sync-summary.ts'
import { useNow } from '../../app-context.tsx'
import { timeOf } from '../../ui/time-of.ts'
import { Outbox } from '../../unsent/outbox.tsx'
import { Remedy } from '../../unsent/remedy.tsx'
import classes from './sync-line.module.css'

const A_MINUTE_MS = 60_000

type SyncLineProps = { summary: SyncSummary | undefined; held: readonly HeldText[] }

/** One truth about all articles on this computer; pressed, it lists all that waits. */
export function SyncLine({ summary, held }: SyncLineProps) {
  const now = useNow(A_MINUTE_MS)
  const state = summary && syncState(summary, held, now)
  const Icon = state && ICONS[state.kind]
  return (
    <div className={classes.line} role="status" data-kind={state?.kind}>
      {state && Icon && (
        <Outbox position="bottom-end">
          <Icon size={16} strokeWidth={1.7} aria-hidden="true" />
          {state.text}
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
  held: HardDrive,
  unkept: TriangleAlert,
}

type SyncState = { kind: keyof typeof ICONS; text: string }

/**
 * `held`: the texts that their articles did not take. They wait, but not for the connection. Null
 * while nothing is known yet.
 */
export function syncState(
  summary: SyncSummary,
  held: readonly Pick<HeldText, 'sentAt'>[],
  now: number,
): SyncState | null {
  const { connection, signInNeeded, updateNeeded, lastCheckedAt, inMemory, withoutRoom } = summary
  const waiting = summary.waiting - held.length
  if (inMemory > 0) {
    return {
      kind: 'unkept',
      text: `${counted(inMemory)} not saved — this computer has no room left`,
    }
  }
  if (withoutRoom > 0)
    return { kind: 'waiting', text: `${keptHere(withoutRoom)} — waiting for room` }
  if (signInNeeded) return { kind: 'waiting', text: `${keptHere(waiting)} — sign in again to send` }
  if (updateNeeded) {
    return { kind: 'waiting', text: `${keptHere(waiting)} — a new version is needed` }
  }
  if (waiting > 0 && connection === 'offline') {
    return { kind: 'waiting', text: `${keptHere(waiting)} — waiting for the connection` }
  }
  if (waiting > 0) return { kind: 'sending', text: `Sending ${counted(waiting)}…` }
  if (held.length > 0) {
    const isSent = held.every(({ sentAt }) => sentAt !== null)
    const fate = isSent ? 'the agency has your text' : 'the server did not take it'
    return { kind: 'held', text: `${keptHere(held.length)} — ${fate}` }
  }
  if (lastCheckedAt === null) return null
  return { kind: 'saved', text: `Everything is saved. Last checked ${timeOf(lastCheckedAt, now)}` }
}

const keptHere = (count: number): string => `${counted(count)} saved on this computer`
const counted = (count: number): string => (count === 1 ? '1 article' : `${count} articles`)
