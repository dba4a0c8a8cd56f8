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
  'Contun-Knows',
] as const
export type ChangeParameter = (typeof CHANGE_PARAMETERS)[number]

/**
 * Contun-Knows: what of a text the client reads and keeps, separated by commas. Without `links` a change may not replace
 * a text that has links by one that has none: the client may never have seen them (docs/decisions/035-links.md).
 */
export const KNOWN_PARTS = 'links'
