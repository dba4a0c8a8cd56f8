import * as z from 'zod'
import { BULK_ARTICLES_MAX, NAMED_MAX } from '../limits.ts'
import { wordMinimumSchema } from './articles.ts'
import { daySchema, dueFields, idSchema, listSchema, namedSchema } from './fields.ts'

/** The progress of all articles, changes of several at once, and the sheet of a month. For admins. */

export const ARTICLE_STATES = [
  'not-begun',
  'being-written',
  'long-enough',
  'complete',
  'reopened',
] as const
/**
 * `reopened` until the article is complete again, whatever its length. `long-enough` is above the minimum; without a
 * minimum, from the first word.
 */
export type ArticleState = (typeof ARTICLE_STATES)[number]
export const articleStateSchema = z.enum(ARTICLE_STATES)

/** `late` and `this-week` (until Sunday) leave complete articles out; `none` has no date. */
export const dueFilterSchema = z.enum(['late', 'this-week', 'none'])
export type DueFilter = z.infer<typeof dueFilterSchema>

/**
 * `mustUse` is null while it was not counted yet, and `countedAt` is null while all of the row is of now: counting runs
 * after changes, never in a save. `lastWords` is null while nothing was written; its author where unknown. `openNotes` is
 * missing when no note is open.
 */
export const progressRowSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  client: namedSchema.nullable(),
  words: z.number().int(),
  wordMinimum: z.number().int(),
  mustUse: z.strictObject({ used: z.number().int(), total: z.number().int() }).nullable(),
  lastWords: z.strictObject({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
  ...dueFields,
  state: articleStateSchema,
  completed: z.boolean(),
  openNotes: z.number().int().optional(),
  countedAt: z.iso.datetime().nullable(),
})

/**
 * GET /progress. `asOf`: the time of the answer. `today`: the agency's day. `countedAt`: since when changes are not in the
 * order and in Must Use; null while all changes are.
 */
export const progressSchema = listSchema(progressRowSchema).extend({
  asOf: z.iso.datetime(),
  today: daySchema,
  countedAt: z.iso.datetime().nullable(),
})

/** POST /articles/bulk: one change of several articles, in one transaction; with `dryRun` only what it would do. */
export const bulkBody = z.strictObject({
  dryRun: z.boolean(),
  ids: z
    .array(idSchema)
    .min(1, '"ids" must have at least one entry')
    .max(BULK_ARTICLES_MAX, `"ids" must have at most ${BULK_ARTICLES_MAX} entries`),
  change: z.union([
    z.strictObject(dueFields),
    z.strictObject({ wordMinimum: wordMinimumSchema }),
    z.strictObject({ clientId: idSchema.nullable() }),
  ]),
})

/**
 * `changed`: how many differ afterwards. `earlier`: how many had another date. `longer`: how many are longer than the new
 * minimum already. `losing`: who reads fewer of the articles afterwards.
 */
export const bulkAnswerSchema = z.strictObject({
  articles: z.number().int(),
  changed: z.number().int(),
  earlier: z.number().int(),
  longer: z.number().int(),
  losing: z.strictObject({ count: z.number().int(), names: z.array(z.string()).max(NAMED_MAX) }),
})

/**
 * A hand-in as the sheet of a month has it, from its receipt, all of it as it was then. `writer`: who handed it in.
 * `of`: how often the article was handed in until now. `fingerprint`: `textHash` of the receipt. Hand-ins before receipts were
 * kept are not in it.
 */
export const monthRowSchema = z.strictObject({
  articleId: z.string(),
  article: z.string(),
  clientId: z.string().nullable(),
  client: z.string().nullable(),
  writer: z.string().nullable(),
  at: z.iso.datetime(),
  words: z.number().int(),
  wordMinimum: z.number().int(),
  number: z.number().int(),
  of: z.number().int(),
  fingerprint: z.string(),
})

/** GET /hand-ins: of one month (`YYYY-MM`, of the agency), oldest first. `words` is the sum of all pages. */
export const monthSheetSchema = listSchema(monthRowSchema).extend({
  month: z.string(),
  words: z.number().int(),
  belowMinimum: z.number().int(),
})

export type ProgressRow = z.infer<typeof progressRowSchema>
export type Progress = z.infer<typeof progressSchema>
export type BulkBody = z.input<typeof bulkBody>
export type BulkAnswer = z.infer<typeof bulkAnswerSchema>
export type MonthRow = z.infer<typeof monthRowSchema>
export type MonthSheet = z.infer<typeof monthSheetSchema>
