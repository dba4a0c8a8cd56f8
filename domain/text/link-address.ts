import { LINK_ADDRESS_MAX } from '../limits.ts'

/**
 * What the address of a link may be: http, https or mailto, in one form, so that what is stored can be compared and
 * rendered as it is. The only place that decides this, on both sides.
 */

/**
 * The address in the form that texts contain: the scheme in small letters, no white space around it, blanks, quotes and
 * angle brackets inside it encoded. Null for what cannot be a link: another scheme, none (`page.html`), no host, user
 * names and passwords (`https://bank.example@elsewhere.example`), backslashes, control and invisible characters, or more
 * than LINK_ADDRESS_MAX characters. An address that is in this form already comes back unchanged.
 */
export function readAddress(text: string): string | null {
  if (text.length > GIVEN_MAX) return null
  const address = text.trim().replace(ENCODED, encodeURIComponent)
  const [, scheme = '', rest = ''] = /^(https?|mailto):(.*)$/isu.exec(address) ?? []
  if (scheme === '' || FORBIDDEN.test(rest)) return null
  const kind = scheme.toLowerCase()
  const isWell = kind === 'mailto' ? RECIPIENTS.test(rest) : HOST.test(rest)
  const read = `${kind}:${rest}`
  return isWell && read.length <= LINK_ADDRESS_MAX ? read : null
}

/** Whether a value is an address as texts contain it. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && readAddress(value) === value

/**
 * The address that a person typed: as readAddress, and where there is no scheme `larkspur.example/guides` becomes https
 * and `ada@larkspur.example` mailto. Null for what is neither.
 */
export function readTypedAddress(text: string): string | null {
  const typed = text.trim()
  if (MAIL.test(typed)) return readAddress(`mailto:${typed}`)
  return readAddress(DOMAIN.test(typed) ? `https://${typed}` : typed)
}

/** Encoding makes one character three times as long at most; longer texts are not looked at. */
const GIVEN_MAX = 2 * LINK_ADDRESS_MAX
const ENCODED = /[ "<>`]/g
/** White space, control and invisible characters, halves of pairs, and what browsers read as a slash. */
const FORBIDDEN = /[\s\p{C}\\]/u
/** After `https:` or `http:`: a host and a port, then the end, a path, a query or a fragment. */
const HOST =
  /^\/\/(?:(?=[^/?#:]*[\p{L}\p{N}])[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]|$)/iu
/** After `mailto:`: one address at least. */
const RECIPIENTS = /^[^@?#]+@[^@?#]+/u
const MAIL = /^[^\s@/:?#]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u
/** A name with a dot and an ending of letters, a port, and what may follow. */
const DOMAIN =
  /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]+(?::\d{1,5})?(?:[/?#]|$)/u
