import { readTag, type StateTag, tagOf } from '../../domain/wire/state-tag.ts'

/** `revision` names the text's revision; null when there is none, which does not happen in a consistent database. */
export type State = { version: number; textVersion: number; revision: string | null }
/** What an If-Match or If-None-Match header lists; 'any' is `*`. */
export type Tags = 'any' | StateTag[]

/** Two counters and the name of the text's revision in one tag, see `holds` for what decides. */
export const etagOf = ({ revision, ...counters }: State): string =>
  tagOf({ ...counters, revision: revision ?? undefined })

/**
 * Reads an If-Match or If-None-Match header. Null when there is none. A tag that this server did not make matches
 * nothing; its own tags match also as proxies change them (`readTag`).
 */
export function readTags(header: string | undefined): Tags | null {
  const tags = listedTags(header)
  return tags === null || tags === 'any' ? tags : tags.map(readTag)
}

/** What an If-Match or If-None-Match header lists, unparsed. Null when there is none. */
export function listedTags(header: string | undefined): 'any' | string[] | null {
  const text = header?.trim() ?? ''
  if (text === '') return null
  const tags = text.split(',').map((tag) => tag.trim())
  return tags.includes('*') ? 'any' : tags
}

/**
 * Whether a change based on one of `tags` may be applied to `current`. Only the counter of what is
 * changed decides, so that a renamed article never costs a writer a text conflict; and the revision's name where the
 * tag has one: a database that went back to an earlier state counts to the same number again.
 */
export function holds(tags: Tags, counter: 'version' | 'textVersion', current: State): boolean {
  return (
    tags === 'any' || tags.some((tag) => tag[counter] === current[counter] && mayBeOf(tag, current))
  )
}

const mayBeOf = ({ revision }: StateTag, current: State): boolean =>
  revision === undefined || revision === current.revision

/** Whether the reader's copy is the current one, both counters alike. */
export function isUnchanged(tags: Tags | null, current: State): boolean {
  if (tags === null) return false
  return (
    tags === 'any' ||
    tags.some(
      (tag) =>
        tag.version === current.version &&
        tag.textVersion === current.textVersion &&
        mayBeOf(tag, current),
    )
  )
}

/** Whether an If-None-Match header lists exactly this tag, for responses whose tag is a digest. */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
