export type MinimumVerdict = 'no-minimum' | 'warning' | 'met'

/** A count equal to the minimum still warns: 'at or below' (spec section 2, Q35). */
export function minimumVerdict(words: number, minimum: number): MinimumVerdict {
  if (minimum === 0) return 'no-minimum'
  return words <= minimum ? 'warning' : 'met'
}

/** Lit part of the moon from 0 to 1. It is full when the warning ends; without a minimum, at the first word. */
export function moonPhase(words: number, minimum: number): number {
  return Math.min(1, words / (minimum + 1))
}
