/**
 * The name of an article's state in If-Match, If-None-Match and ETag: `"v<version>.t<textVersion>-r_<revision>"`. The
 * counters order states; the revision's name identifies one, also where a database that went back to an earlier state
 * has used a number twice. Earlier releases read the revision's name as the suffix of a compressing proxy, and ignore
 * it.
 */
export type StateTag = {
  version?: number | undefined
  textVersion?: number | undefined
  /** Missing in tags of an earlier release. */
  revision?: string | undefined
}

export function tagOf({ version, textVersion, revision }: StateTag): string {
  const counters = [version === undefined ? '' : `v${version}`, `t${textVersion}`]
  return `"${counters.filter(Boolean).join('.')}${revision === undefined ? '' : `-r_${revision}`}"`
}

const TAG =
  /^(?:W\/)?"?(?:v(\d{1,15}))?\.?(?:t(\d{1,15}))?(?:-r_([\w-]{1,64}?)(?:[-;]{1,2}(?:gzip|br|zstd|deflate))?|[-;](?!r_)[\w-]*)?"?$/i

/**
 * Reads one tag, also as proxies and plain clients change it: weak, unquoted, with the suffix of a compressing proxy,
 * or with only one of the two counters. Empty when it is invalid.
 */
export function readTag(tag: string): StateTag {
  const [, version, textVersion, revision] = TAG.exec(tag) ?? []
  return {
    ...(version !== undefined && { version: Number(version) }),
    ...(textVersion !== undefined && { textVersion: Number(textVersion) }),
    ...(revision !== undefined && { revision }),
  }
}

/** The name of a plan's state in If-Match and ETag: `"p<counter>"`. */
export const planTagOf = (counter: number): string => `"p${counter}"`

const PLAN_TAG = /^(?:W\/)?"?p(\d{1,15})(?:[-;][\w-]*)?"?$/i

/** The counter in the tag of a plan, also as proxies and plain clients change it; undefined when it is invalid. */
export function readPlanTag(tag: string): number | undefined {
  const [, counter] = PLAN_TAG.exec(tag) ?? []
  return counter === undefined ? undefined : Number(counter)
}

/** A revision is named by the key of the save that made it, where that fits into a tag. */
export const isRevisionName = (key: string): boolean => /^[\w-]{1,64}$/.test(key)
