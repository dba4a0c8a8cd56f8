import type { Token } from './tokens.ts'

/**
 * Addresses of links in a merge. Each address has a sign of one code unit. A text without links has the signs '', any
 * other one sign for each letter: that of its address, or NO_LINK.
 */
export const NO_LINK = '\0'

/** The addresses of all texts of one merge, each with its sign. */
export type Addresses = {
  signOf(href: string): string
  hrefOf(sign: string): string | null
}

/**
 * Further addresses share the last sign. Three articles that fill ARTICLE_BODY_BYTES reach it only with links of one or
 * two letters each.
 */
const SIGNS_MAX = 0xffff

export function createAddresses(): Addresses {
  const hrefs = [NO_LINK]
  const signs = new Map<string, string>()
  return {
    signOf(href) {
      const known = signs.get(href)
      if (known !== undefined) return known
      if (hrefs.length <= SIGNS_MAX) hrefs.push(href)
      const sign = String.fromCharCode(hrefs.length - 1)
      signs.set(href, sign)
      return sign
    },
    hrefOf: (sign) => (sign === NO_LINK ? null : (hrefs[sign.charCodeAt(0)] ?? null)),
  }
}

/** The signs; '' when no letter has an address. */
export const signsOrNone = (signs: string): string => (LINK.test(signs) ? signs : '')
const LINK = /[^\0]/

/** The signs of the letters from `start` up to `end`. */
export const signsOf = (signs: string, start: number, end: number): string =>
  signs === '' ? NO_LINK.repeat(end - start) : signs.slice(start, end).padEnd(end - start, NO_LINK)

/**
 * For each letter the address that one side changed; the server's where both changed it. Where one side removed an address
 * and the other set a new one, the new one stays: a merge never drops an address that a writer set.
 */
export function mergeAddresses(base: string, mine: string, theirs: string): string {
  if (mine === base || mine === theirs) return theirs
  if (theirs === base) return mine
  let merged = ''
  for (let at = 0; at < base.length; at += 1) {
    const [o, a, b] = [base.charAt(at), mine.charAt(at), theirs.charAt(at)]
    merged += b === o || (b === NO_LINK && a !== o) ? a : b
  }
  return merged
}

/** Whether two writers changed the address of one of the first `length` letters in different ways. */
export function isTorn(base: string, mine: string, theirs: string, length: number): boolean {
  if (mine === base || theirs === base || mine === theirs) return false
  const [o, a, b] = [base, mine, theirs].map((signs) => signsOf(signs, 0, length))
  for (let at = 0; at < length; at += 1) {
    if (a?.[at] !== o?.[at] && b?.[at] !== o?.[at] && a?.[at] !== b?.[at]) return true
  }
  return false
}

/** The sign of the address that `now` has on letters of this token and `base` has not; null for none. */
export function setAddress(base: Token, now: Token): string | null {
  if (now.links === '' || now.links === base.links) return null
  const old = signsOf(base.links, 0, base.text.length)
  for (let at = 0; at < base.text.length; at += 1) {
    const sign = now.links.charAt(at)
    if (sign !== NO_LINK && sign !== old[at]) return sign
  }
  return null
}

/** The tokens with this address where they have none. */
export const linkedTo = (tokens: readonly Token[], sign: string): Token[] =>
  tokens.map((token) => {
    const { text, gap, links, leaf } = token
    return leaf || links !== '' ? token : { ...token, links: sign.repeat(text.length + gap.length) }
  })

/** Whether `all` links to every address that `some` links to. */
export function hasAddressesOf(all: readonly Token[], some: readonly Token[]): boolean {
  const missing = new Set(some.flatMap(({ links }) => links.split('')))
  missing.delete(NO_LINK)
  if (missing.size === 0) return true
  for (const { links } of all) for (const sign of links.split('')) missing.delete(sign)
  return missing.size === 0
}
