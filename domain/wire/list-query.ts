import * as z from 'zod'
import {
  COPIES_MAX,
  FILTER_CLIENTS_MAX,
  HAND_INS_LIMIT_MAX,
  HAND_OVERS_LIMIT_MAX,
  INVITATIONS_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_TEXTS_BYTES,
  LIST_TEXTS_MAX,
  PAGE_MAX,
  PROGRESS_LIMIT_MAX,
  SORT_KEYS_MAX,
} from '../limits.ts'
import { searchText } from '../names/name.ts'
import { idSchema } from './fields.ts'
import { logKindSchema } from './log.ts'
import { articleStateSchema, dueFilterSchema } from './progress.ts'

/**
 * The queries of the agency's lists, as strings from a query string. Part of the wire contract: the page imports only
 * the types.
 */

export const ARTICLE_SORT_FIELDS = [
  'id',
  'name',
  'completed',
  'client',
  'updatedAt',
  'createdAt',
  'wordMinimum',
] as const
export const CLIENT_SORT_FIELDS = ['id', 'name', 'moonOwlClient'] as const
export const USER_SORT_FIELDS = ['id', 'name', 'email', 'role'] as const

/** `risk`: the most at risk first (`riskKey`). `due` has articles without a date last in both directions. */
export const PROGRESS_SORT_FIELDS = ['risk', 'name', 'words', 'lastWords', 'due'] as const

export type ArticleSortField = (typeof ARTICLE_SORT_FIELDS)[number]
export type ClientSortField = (typeof CLIENT_SORT_FIELDS)[number]
export type UserSortField = (typeof USER_SORT_FIELDS)[number]
export type ProgressSortField = (typeof PROGRESS_SORT_FIELDS)[number]
export type SortKey<Field extends string = string> = { field: Field; direction: 'asc' | 'desc' }

/**
 * `field`, `field:asc` or `field:desc`, several joined by commas, the most significant first (Q68). The parsed value
 * ends with the id, so that the order is total.
 */
const sortBySchema = <Field extends string>(fields: readonly Field[]) =>
  z
    .string()
    .transform((text, context): SortKey<Field | 'id'>[] => {
      const keys = text.split(',').map((part) => readSortKey(part, fields))
      const known = keys.filter((key) => key !== null)
      if (known.length === keys.length && keys.length <= SORT_KEYS_MAX) return endingWithId(known)
      const message = `"sortBy" must be at most ${SORT_KEYS_MAX} of [${fields.join(', ')}], each with :asc or :desc`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({
      description: `At most ${SORT_KEYS_MAX} of ${fields.join(', ')}, joined by commas, each with :asc or :desc if need be.`,
    })

function readSortKey<Field extends string>(
  text: string,
  fields: readonly Field[],
): SortKey<Field> | null {
  const [name, direction = 'asc', ...rest] = text.split(':')
  const field = fields.find((known) => known === name)
  if (field === undefined || rest.length > 0) return null
  return direction === 'asc' || direction === 'desc' ? { field, direction } : null
}

/** In the direction of the last key, so that one index can be read from end to end. */
function endingWithId<Field extends string>(keys: SortKey<Field>[]): SortKey<Field | 'id'>[] {
  if (keys.some(({ field }) => field === 'id')) return keys
  return [...keys, { field: 'id', direction: keys.at(-1)?.direction ?? 'asc' }]
}

const queryNumber = (name: string, max: number) => {
  const message = `"${name}" must be a whole number from 1 to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, { message, abort: true })
    .transform(Number)
    .pipe(z.number().min(1, message).max(max, message))
    .meta({ type: 'integer', minimum: 1, maximum: max })
}

/** `itemsPerPage` is another name of `limit` (Q63). */
const pageQuery = {
  limit: queryNumber('limit', LIST_LIMIT_MAX).optional(),
  itemsPerPage: queryNumber('itemsPerPage', LIST_LIMIT_MAX).optional(),
  page: queryNumber('page', PAGE_MAX).default(1),
}

/** Parameters of a list whose pages have at most `max` rows. */
const pageOfAtMost = (max: number) => ({
  limit: queryNumber('limit', max).default(LIST_LIMIT_DEFAULT),
  page: queryNumber('page', PAGE_MAX).default(1),
})

/** Parameters of the lists that are searched and sorted. */
const listQuery = <Field extends string>(fields: readonly Field[]) => ({
  /** Part of a name, ignoring case and accents (Q88). Empty: all. Any text is valid. */
  name: z.string().overwrite(searchText).default(''),
  sortBy: sortBySchema(fields).default([{ field: 'id', direction: 'asc' }]),
  ...pageQuery,
})

const flagQuery = z.enum(['true', 'false']).transform((value) => value === 'true')

export const userListQuery = z.object(listQuery(USER_SORT_FIELDS))
export const clientListQuery = z.object({
  ...listQuery(CLIENT_SORT_FIELDS),
  moonOwlClient: flagQuery.optional(),
})
/** Includes the texts. Without it rows have none. */
const textFieldsQuery = z
  .literal('text', '"fields" must be "text"')
  .optional()
  .meta({
    description: `With the texts, ${LIST_TEXTS_MAX} articles a page at most. A page has room for ${LIST_TEXTS_BYTES} bytes of texts: articles behind that come without, and are asked for one by one.`,
  })

/** The users of one page of the list. Repeated, bracketed or joined by commas, as `clientId` is. */
export const invitationsQuery = z.object({
  ids: z
    .array(idSchema)
    .max(INVITATIONS_MAX, `"ids" must be at most ${INVITATIONS_MAX} ids`)
    .default([]),
})

/** Repeated, bracketed or joined by commas (Q67); no id at all means every client. */
const clientIdsQuery = z
  .array(idSchema)
  .max(FILTER_CLIENTS_MAX, `"clientId" must be at most ${FILTER_CLIENTS_MAX} ids`)
  .default([])

export const articleListQuery = z.object({
  ...listQuery(ARTICLE_SORT_FIELDS),
  clientId: clientIdsQuery,
  completed: flagQuery.optional(),
  hasEntities: flagQuery
    .optional()
    .meta({ description: 'Whether the article has entities. Without it all articles.' }),
  hasClient: flagQuery
    .optional()
    .meta({ description: 'Whether the article belongs to a client. Without it all articles.' }),
  fields: textFieldsQuery,
})

/** Query of the counts: search and clients as in the list. */
export const articleCountsQuery = articleListQuery.pick({ name: true, clientId: true })

/** The articles of the user's own clients: all of them, or with `fields=text` one page. */
export const myArticlesQuery = z.object({
  ...pageQuery,
  fields: textFieldsQuery,
})

/** The articles whose copies are wanted. */
export const copiesQuery = z.object({
  ids: z
    .array(idSchema)
    .min(1, '"ids" is required')
    .max(COPIES_MAX, `"ids" must be at most ${COPIES_MAX} ids`)
    .meta({ description: 'Repeated, or joined by commas.' }),
})

/** Newest first. A receipt may be long, so a page has fewer rows than other lists. */
export const handInsQuery = z.object(pageOfAtMost(HAND_INS_LIMIT_MAX))

/** Newest first. */
export const revisionsQuery = z.object(pageOfAtMost(LIST_LIMIT_MAX))

/** By rising positions. */
export const handOversQuery = z.object({
  since: z
    .string()
    .regex(/^\d{1,15}$/, '"since" must be a position')
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      description: '`next` of the page before. Without it the list begins with the first hand-in.',
    }),
  limit: queryNumber('limit', HAND_OVERS_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
})

/** Newest first. `done` selects those that an admin has dealt with, or the others; without it all. */
export const undeliveredTextListQuery = z.object({
  done: flagQuery.optional(),
  ...pageQuery,
})

export const articleLogQuery = z.object(pageQuery)

/** Newest first. `name` is a part of the name that the subject had at that moment. */
export const logQuery = z.object({
  ...pageQuery,
  name: z.string().overwrite(searchText).default(''),
  userId: idSchema.optional(),
  articleId: idSchema.optional(),
  kind: logKindSchema.optional(),
  before: idSchema
    .optional()
    .meta({ description: 'Only entries older than the one with this id.' }),
  folded: flagQuery
    .optional()
    .meta({ description: 'Of the entries that were done from one list only the newest one.' }),
  foldedInto: idSchema
    .optional()
    .meta({ description: 'Only the entries that `folded` leaves out for the one with this id.' }),
})

/** The progress of all articles. Filters that are not given do not apply. */
export const progressQuery = z.object({
  ...pageOfAtMost(PROGRESS_LIMIT_MAX),
  name: z.string().overwrite(searchText).default(''),
  sortBy: sortBySchema(PROGRESS_SORT_FIELDS).default([
    { field: 'risk', direction: 'asc' },
    { field: 'id', direction: 'asc' },
  ]),
  clientId: clientIdsQuery,
  state: articleStateSchema.optional(),
  due: dueFilterSchema.optional(),
})
export type ProgressQuery = z.output<typeof progressQuery>

/** The hand-ins of a month (`YYYY-MM`) of the agency, oldest first. `clientId`: clients of that moment. */
export const monthQuery = z.object({
  ...pageOfAtMost(PROGRESS_LIMIT_MAX),
  month: z
    .string()
    .regex(/^2[01]\d{2}-(0[1-9]|1[0-2])$/, '"month" must be a month such as 2026-11'),
  clientId: clientIdsQuery,
})

/** Filters of the list. An undefined one does not apply. */
export type ArticleFilter = {
  /** Empty: all articles, with and without a client. */
  clientId: string[]
  completed?: boolean | undefined
  hasEntities?: boolean | undefined
  hasClient?: boolean | undefined
}

/** A list query as parsed for the server. */
export type Listing<Field extends string> = {
  name: string
  sortBy: SortKey<Field | 'id'>[]
  limit: number
  page: number
}
