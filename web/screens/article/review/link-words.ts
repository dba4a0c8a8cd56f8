import type { LinkChange } from '../../../../domain/text/passages.ts'

/** What is said of a link that changed. */
export function linkWords({ from, to }: LinkChange): string {
  if (from === null) return `Link added: ${to}`
  return to === null ? `Link removed: ${from}` : `Address changed from ${from} to ${to}`
}
