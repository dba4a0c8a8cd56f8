/**
 * The name of an article's state in If-Match, If-None-Match and ETag: `"v<version>.t<textVersion>-r_<revision>"`. The
 * counters say which state came later; the revision's own name says that it is the same one, also where a database that
 * went back to an earlier state has given a number away a second time. Releases before the revision's name read it as
 * the suffix of a compressing proxy, and pass it over.
 */
export type StateTag = {
  version?: number | undefined
  textVersion?: number | undefined
  /** Missing where the server named none: an earlier release did not. */
  revision?: string | undefined
}

export function tagOf({ version, textVersion, revision }: StateTag): string {
  const counters = [version === undefined ? '' : `v${version}`, `t${textVersion}`]
  return `"${counters.filter(Boolean).join('.')}${revision === undefined ? '' : `-r_${revision}`}"`
}

const TAG =
  /^(?:W\/)?"?(?:v(\d{1,15}))?\.?(?:t(\d{1,15}))?(?:-r_([\w-]{1,64}?)(?:[-;]{1,2}(?:gzip|br|zstd|deflate))?|[-;](?!r_)[\w-]*)?"?$/i

/**
 * Reads one tag, also as proxies and plain clients change it: weak, unquoted, with the suffix of a compressing proxy, or
 * with only one of the two counters. Empty when it is none of these.
 */
export function readTag(tag: string): StateTag {
  const [, version, textVersion, revision] = TAG.exec(tag) ?? []
  return {
    ...(version !== undefined && { version: Number(version) }),
    ...(textVersion !== undefined && { textVersion: Number(textVersion) }),
    ...(revision !== undefined && { revision }),
  }
}

/** A revision is named by the key of the save that made it, where that fits into a tag. */
export const isRevisionName = (key: string): boolean => /^[\w-]{1,64}$/.test(key)
