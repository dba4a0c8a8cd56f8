/**
 * Parameters of a change outside its body: headers, repeated under the same names in the query string. Proxies between
 * client and server remove and rewrite headers, but not addresses. Servers of an earlier release read only the headers
 * and ignore query parameters that they do not know.
 */
export const CHANGE_PARAMETERS = [
  'Idempotency-Key',
  'If-Match',
  'Server-Epoch',
  'Contun-Reason',
  'Contun-Supersedes',
] as const
export type ChangeParameter = (typeof CHANGE_PARAMETERS)[number]
