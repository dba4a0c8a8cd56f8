import type { KeyboardEvent } from 'react'

/** Arrow keys, Home and End move between the entries of a panel. */
export function moveToEntry(event: KeyboardEvent, panel: HTMLElement | null): void {
  const entries = [...(panel?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
  const index = entries.indexOf(event.target as HTMLElement)
  if (index < 0) return
  const steps = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: entries.length - 1 }
  const next = steps[event.key as keyof typeof steps]
  if (next === undefined) return
  event.preventDefault()
  entries[next]?.focus()
}
