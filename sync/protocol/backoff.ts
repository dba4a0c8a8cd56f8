export const FIRST_RETRY_MS = 1_000
export const RETRY_CAP_MS = 30_000

/**
 * Milliseconds to wait after the `attempts`th failure in a row (from 1): doubling from 2 s, at most 30 s, with jitter
 * from `random` so that devices that lost the server together do not return together.
 */
export function retryDelay(attempts: number, random: () => number): number {
  const ceiling = Math.min(RETRY_CAP_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 20))
  return Math.max(FIRST_RETRY_MS, Math.round(ceiling * (0.5 + random() / 2)))
}
