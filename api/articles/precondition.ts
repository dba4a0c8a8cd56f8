export type Versions = { version: number; textVersion: number }
type Tag = { version?: number; textVersion?: number }
/** What an If-Match or If-None-Match header lists; 'any' is `*`. */
export type Tags = 'any' | Tag[]

/** `"v<version>.t<textVersion>"`: two counters in one tag, see `holds` for which one decides. */
export const etagOf = ({ version, textVersion }: Versions): string =>
  `"v${version}.t${textVersion}"`

/**
 * Reads an If-Match or If-None-Match header. Null when there is none. Forms that proxies and plain
 * clients make of our tag are read too: weak, unquoted, with the suffix of a compressing proxy, or
 * with only one of the two counters. A tag that is none of these matches nothing.
 */
export function readTags(header: string | undefined): Tags | null {
  const text = header?.trim() ?? ''
  if (text === '') return null
  const tags = text.split(',').map((tag) => tag.trim())
  return tags.includes('*') ? 'any' : tags.map(readTag)
}

function readTag(tag: string): Tag {
  const found = /^(?:W\/)?"?(?:v(\d{1,15}))?\.?(?:t(\d{1,15}))?(?:[-;][\w-]*)?"?$/i.exec(tag)
  const [, version, textVersion] = found ?? []
  return {
    ...(version !== undefined && { version: Number(version) }),
    ...(textVersion !== undefined && { textVersion: Number(textVersion) }),
  }
}

/**
 * Whether a change based on one of `tags` may be applied to `current`. Only the counter of what is
 * changed decides, so that a renamed article never costs a writer a text conflict.
 */
export function holds(tags: Tags, counter: keyof Versions, current: Versions): boolean {
  return tags === 'any' || tags.some((tag) => tag[counter] === current[counter])
}

/** Whether the reader's copy is the current one, both counters alike. */
export function isUnchanged(tags: Tags | null, current: Versions): boolean {
  if (tags === null) return false
  return (
    tags === 'any' ||
    tags.some((tag) => tag.version === current.version && tag.textVersion === current.textVersion)
  )
}

/** Whether an If-None-Match header lists this very tag, for answers whose tag is a digest. */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
