import { useNow } from '../app/app-context.tsx'

const A_SECOND_MS = 1_000

/** When something is tried again; both in milliseconds since 1970. */
export function nextTryWords(dueAt: number, now: number): string {
  const seconds = Math.ceil((dueAt - now) / 1_000)
  if (seconds <= 1) return 'Trying now.'
  return seconds < 120
    ? `Trying again in ${seconds} seconds.`
    : `Trying again in ${Math.round(seconds / 60)} minutes.`
}

/** The same, counting down. Not for screen readers: they would announce every second. */
export function NextTry({ at }: { at: number }) {
  const now = useNow(A_SECOND_MS)
  return <span aria-hidden="true">{nextTryWords(at, now)}</span>
}
