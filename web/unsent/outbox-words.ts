import type { SyncSummary } from '../../sync/sync-summary.ts'
import type { WaitingChange } from '../../sync/waiting.ts'
import { figure } from '../ui/figure.ts'
import { timeOf } from '../ui/time-of.ts'
import { HELD_BECAUSE, MEMORY_REFUSED } from './refused-because.ts'

/** What waits, and since when. */
export function changeWords({ kind, since }: WaitingChange, now: number): string {
  const when = since === null ? '' : ` ${timeOf(since, now)}`
  return `${KINDS[kind]}${when}`
}

const KINDS: Record<WaitingChange['kind'], string> = {
  text: 'Text changed',
  completion: 'Marked complete',
  reopening: 'Marked incomplete',
  stray: 'Text for the agency',
}

/** Where it is and what will happen to it. */
export function stateWords(
  { state }: WaitingChange,
  summary: Pick<SyncSummary, 'signInNeeded' | 'updateNeeded'>,
  now: number,
): string {
  switch (state.kind) {
    case 'sending':
      return 'Kept on this computer, being sent.'
    case 'held':
      return `${HELD_BECAUSE[state.reason]} It is kept on this computer.`
    case 'memory':
      return `Not kept on this computer. ${state.refusal ? MEMORY_REFUSED[state.refusal.reason] : 'Leave its page open until it is sent.'}`
    case 'left':
      return `Kept on this computer when its page was left. It is added to the text ${state.noRoom ? 'as soon as there is room' : 'in a few minutes'}.`
    case 'failed':
      if (summary.signInNeeded) return 'Kept on this computer. Sign in again to send it.'
      if (summary.updateNeeded) return 'Kept on this computer. Reload the page to send it.'
      return `Kept on this computer. ${failureWords(state)} ${nextWords(state.nextAt, now)}`
  }
}

type Failed = Extract<WaitingChange['state'], { kind: 'failed' }>

function failureWords({ attempts, isAnswered, error }: Failed): string {
  const tries = attempts === 1 ? 'one try' : `${figure(attempts)} tries`
  const what = isAnswered ? 'The server could not take it' : 'No connection'
  return `${what}: ${sentence(error)} (${tries}).`
}

const sentence = (text: string): string => text.replace(/[.\s]+$/u, '')

function nextWords(nextAt: number, now: number): string {
  const seconds = Math.ceil((nextAt - now) / 1_000)
  if (seconds <= 1) return 'Trying now.'
  return seconds < 120
    ? `Next try in ${seconds} seconds.`
    : `Next try in ${Math.round(seconds / 60)} minutes.`
}

/** What there is to say when nothing waits. */
export function nothingWaits(lastCheckedAt: number | null, now: number): string {
  const checked = lastCheckedAt === null ? '' : ` Last checked ${timeOf(lastCheckedAt, now)}.`
  return `Everything is with the agency.${checked}`
}
