/**
 * What is said of a change beside its body, in headers and under the same names in its address: what stands between page
 * and server takes headers off and changes them, but not an address. Servers of an earlier release read the headers alone
 * and pass over what they do not know of an address.
 */
export const CHANGE_PARAMETERS = [
  'Idempotency-Key',
  'If-Match',
  'Server-Epoch',
  'Contun-Reason',
  'Contun-Supersedes',
] as const
export type ChangeParameter = (typeof CHANGE_PARAMETERS)[number]
