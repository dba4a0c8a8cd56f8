import { dateOf } from '../../../ui/words/moment.ts'

/** 'Today, 25 November' · '18 November' · '18 November 2025'. */
export function dayHead(at: Date, now: Date): string {
  const day = dateOf(at, now)
  if (day !== 'Today' && day !== 'Yesterday') return day
  return `${day}, ${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`
}
