import type { SentSave } from './push-result.ts'

/**
 * The headers of a save. `epoch`: the epoch of the server's data that the condition is from; null when none is known.
 * Without a condition the epoch is left out too.
 */
export const saveHeaders = (
  { key, ifMatch, unconfirmed = [] }: SentSave,
  epoch: string | null,
): Record<string, string> => ({
  'Idempotency-Key': key,
  ...(ifMatch !== null && { 'If-Match': ifMatch }),
  ...(ifMatch !== null && epoch !== null && { 'Server-Epoch': epoch }),
  ...(unconfirmed.length > 0 && { 'Contun-Supersedes': unconfirmed.join() }),
})
