/** The name in the addresses, then the name of earlier releases, which their pages and other clients still use. */
export const ROUTE_NAMES = ['undelivered-texts', 'strays'] as const

/** Part of a regular expression. */
export const ANY_ROUTE_NAME = ROUTE_NAMES.join('|')
