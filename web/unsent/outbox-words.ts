import type { Dates } from '../../domain/calendar/dates.ts'
import { ownMessage } from '../../domain/wire/status-message.ts'
import type { SyncSummary } from '../../sync/status/sync-summary.ts'
import type { WaitingChange } from '../../sync/status/waiting-changes.ts'
import { figure } from '../ui/words/figure.ts'
import { nextTryWords } from './next-try.tsx'
import { BLOCKED_BECAUSE, MEMORY_REFUSED } from './refused-because.ts'

type Reading = { dates: Dates; now: number }

/** What waits, and since when. */
export function changeWords({ kind, since }: WaitingChange, { dates, now }: Reading): string {
  const when = since === null ? '' : ` ${dates.timeOf(since, now)}`
  return `${KINDS[kind]}${when}`
}

const KINDS: Record<WaitingChange['kind'], string> = {
  text: 'Text changed',
  completion: 'Marked complete',
  reopening: 'Marked incomplete',
  undelivered: 'Undelivered text',
  note: 'Note written',
}

/** Where it is and what will happen to it. */
export function stateWords(
  { state }: WaitingChange,
  summary: Pick<SyncSummary, 'signInNeeded' | 'updateNeeded'>,
  now: number,
): string {
  switch (state.kind) {
    case 'sending':
      return 'Saved on this computer, being sent.'
    case 'blocked':
      return `${blockedBecause(state)} It is saved on this computer.`
    case 'memory':
      return `Not saved on this computer. ${state.refusal ? MEMORY_REFUSED[state.refusal.reason] : 'Leave its page open until it is sent.'}`
    case 'left':
      return `Saved on this computer when its page was left. It is added to the text ${state.noRoom ? 'as soon as there is room' : 'in a few minutes'}.`
    case 'failed':
      if (summary.signInNeeded) return 'Saved on this computer. Log in again to send it.'
      if (summary.updateNeeded) return 'Saved on this computer. Reload the page to send it.'
      return `Saved on this computer. ${failureWords(state)} ${nextTryWords(state.dueAt, now)}`
  }
}

type Blocked = Extract<WaitingChange['state'], { kind: 'blocked' }>

const blockedBecause = ({ reason, message }: Blocked): string =>
  (reason === 'rejected' && message) || BLOCKED_BECAUSE[reason]

type Failed = Extract<WaitingChange['state'], { kind: 'failed' }>

function failureWords({ attempts, isAnswered, error }: Failed): string {
  const tried = `tried ${['', 'once', 'twice'][attempts] || `${figure(attempts)} times`}`
  if (!isAnswered) return `No connection (${tried}).`
  const said = ownMessage(error)
  return said === null
    ? `The server had a problem (${tried}).`
    : `The server couldn’t take it: ${sentence(said)} (${tried}).`
}

const sentence = (text: string): string => text.replace(/[.\s]+$/u, '')

/** What there is to say when nothing waits. */
export function nothingWaits(lastCheckedAt: number | null, { dates, now }: Reading): string {
  const checked = lastCheckedAt === null ? '' : ` Last checked ${dates.timeOf(lastCheckedAt, now)}.`
  return `Everything has been sent.${checked}`
}
