import * as z from 'zod'
import { normaliseKeyword, normaliseSource } from '../keywords/keyword.ts'
import {
  ARTICLE_SIZE,
  CATEGORY_MAX,
  type DocumentSize,
  KEYWORD_MAX,
  KEYWORDS_MAX,
  SCORE_MAX,
  SOURCE_MAX,
  UNDELIVERED_SIZE,
  WORD_MINIMUM_MAX,
} from '../limits.ts'
import { type ArticleText, readDocument } from '../text/document.ts'
import { dueFields, idSchema, nameSchema, oneLine, someOf } from './fields.ts'

/** Articles and the texts that they had. */

/** `score` stays as it was uploaded, a number or its text. */
export const keywordSchema = z.strictObject({
  keyword: z.string(),
  source: z.string(),
  score: z.union([z.number(), z.string()]),
  category: z.string(),
})

/** `users` are ids only, for every caller. `deleted` marks a client that is missing from every list. */
export const articleClientSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  users: z.array(z.string()),
  deleted: z.literal(true).optional(),
})

/** A rich-text document, or `{}` for an empty one; anything outside the allow-list is refused. */
const textSchema = (most: DocumentSize) =>
  z.unknown().transform((input, context): ArticleText => {
    const read = readDocument(input, most)
    if (read.ok) return read.document
    context.addIssue({
      code: 'custom',
      message: read.fault,
      params: { reason: 'invalid_document' },
    })
    return z.NEVER
  })

export const articleTextSchema = textSchema(ARTICLE_SIZE)

/** A text that may have been refused for its size. */
export const undeliveredDocumentSchema = textSchema(UNDELIVERED_SIZE)

/** Who wrote a text; null when it has no single author or the account is gone. */
export const authorSchema = z.strictObject({ id: z.string(), name: z.string() }).nullable()

/** The name of a text's revision, unique to that text; missing in responses of an earlier release. */
const revisionNameSchema = z.string().optional().meta({
  description: 'The name of the text’s revision: the key of the save that made it, if it had one.',
})

/** The text that a change replaced: the one that its writer had seen, or else the one that the change overwrote. */
export const replacedSchema = z
  .strictObject({
    textVersion: z.number().int(),
    revision: revisionNameSchema,
  })
  .meta({
    description:
      'Of a change of the text: the text that it replaced. Where that is another one than If-Match named, the condition did not arrive.',
  })

/** An earlier save of the same writer that had arrived; `replaced` as in the response to that save. */
const earlierSaveSchema = z.strictObject({
  key: z.string(),
  textVersion: z.number().int(),
  revision: revisionNameSchema,
  replaced: replacedSchema.optional(),
})

/** In the order in which the server applied them. */
const earlierSavesSchema = z.array(earlierSaveSchema).optional().meta({
  description: 'Which of the saves that the request named in Contun-Supersedes had arrived.',
})

/** What an article says of its plan: the date, and the counter by which a reader knows that its copy is stale. */
export const plannedSchema = z.strictObject({
  counter: z.number().int(),
  ...dueFields,
})

/** Latest completion. Null while the article is not complete, and for completions before hand-ins were recorded. */
export const completionSchema = z
  .strictObject({ by: authorSchema, at: z.iso.datetime() })
  .nullable()

/**
 * `version` counts every change, `textVersion` only changes of the text. `articleText` is missing in lists that did not
 * request it and in responses to a request that preferred the minimal form. Lists name neither the author of the text
 * nor its revision; the agency's list has no `completion`. `replaced` is in the response to a change of the text.
 * `words` is the length of the text, in the agency's list alone. `handIns` counts completions and `notes` the notes of the
 * article where there are any: both in a single article and in the list of the user's own, `handIns` also in the response
 * to a completion. `plan` is in a single article and in the list of the user's own, where there is one.
 */
export const articleSchema = z.strictObject({
  id: z.string(),
  _id: z.string(),
  name: z.string(),
  clientId: articleClientSchema.nullable(),
  wordMinimum: z.number().int(),
  words: z.number().int().optional(),
  articleText: z.custom<ArticleText>().optional(),
  updatedBy: authorSchema.optional(),
  keywordList: z.array(keywordSchema),
  completed: z.boolean(),
  completion: completionSchema.optional(),
  handIns: z.number().int().optional(),
  notes: z.number().int().optional(),
  plan: plannedSchema.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: z.number().int(),
  textVersion: z.number().int(),
  revision: revisionNameSchema,
  textUpdatedAt: z.iso.datetime().optional().meta({
    description:
      'When the text was changed last, in a single article; missing where that is not known.',
  }),
  replaced: replacedSchema.optional(),
  arrived: earlierSavesSchema,
})

/** Number of articles in each state, after a search and a filter by client. */
export const articleCountsSchema = z.strictObject({
  notComplete: z.number().int(),
  withoutEntities: z.number().int(),
  withoutClient: z.number().int(),
})

export const wordMinimumSchema = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= WORD_MINIMUM_MAX, {
    message: `"wordMinimum" must be a whole number from 0 to ${WORD_MINIMUM_MAX}`,
  })
  .meta({ type: 'integer', minimum: 0, maximum: WORD_MINIMUM_MAX })

/**
 * POST /articles. Without a client it is for admins only; keywords are added after creation. A template gives the article
 * its brief and its entities, and its outline where `articleText` is empty.
 */
export const articleCreateBody = z.strictObject({
  name: nameSchema,
  clientId: idSchema.nullable().default(null),
  wordMinimum: wordMinimumSchema,
  articleText: articleTextSchema.default({}),
  templateId: idSchema.optional(),
})

/** Stored as an upload would store it: exported text has no sign that a spreadsheet would execute. */
const keywordBody = z.strictObject({
  keyword: z
    .string()
    .max(KEYWORD_MAX)
    .regex(oneLine)
    .overwrite(normaliseKeyword)
    .min(1)
    .max(KEYWORD_MAX),
  source: z.string().max(SOURCE_MAX).regex(oneLine).overwrite(normaliseSource),
  score: z.union([z.number(), z.string().max(SCORE_MAX).regex(oneLine)]),
  category: z.string().max(CATEGORY_MAX).regex(oneLine),
})

export const keywordListBody = z
  .array(keywordBody)
  .max(KEYWORDS_MAX, `"keywordList" must have at most ${KEYWORDS_MAX} entries`)

/** PATCH /articles/admin/{id}. `keywordList` replaces the whole list; `clientId` null takes the client away. */
export const articleSettingsBody = someOf({
  name: nameSchema,
  clientId: idSchema.nullable(),
  wordMinimum: wordMinimumSchema,
  keywordList: keywordListBody,
})

/** One text that an article had. */
export const revisionSchema = z.strictObject({
  textVersion: z.number().int(),
  words: z.number().int(),
  author: authorSchema,
  reason: z.string(),
  /** Number of the latest hand-in of this text; null where it never was handed in. */
  handIn: z.number().int().nullable(),
  createdAt: z.iso.datetime(),
})

export const revisionWithTextSchema = revisionSchema.extend({
  articleText: z.custom<ArticleText>(),
  revision: revisionNameSchema,
})

/** Sent with the error for a stale `If-Match`, so that the client can merge without another request. */
export const staleArticleSchema = z.strictObject({
  version: z.number().int(),
  textVersion: z.number().int(),
  revision: revisionNameSchema,
  updatedAt: z.iso.datetime(),
  completed: z.boolean(),
  articleText: z.custom<ArticleText>(),
  updatedBy: authorSchema,
  arrived: earlierSavesSchema,
  arrivedText: z.custom<ArticleText>().optional().meta({
    description: 'The text of the last of `arrived`; missing where its revision was deleted since.',
  }),
})

export type Keyword = z.infer<typeof keywordSchema>
export type Article = z.infer<typeof articleSchema>
export type Planned = z.infer<typeof plannedSchema>
export type ArticleCounts = z.infer<typeof articleCountsSchema>
export type ArticleCreate = z.input<typeof articleCreateBody>
export type ArticleSettings = z.infer<typeof articleSettingsBody>
export type Revision = z.infer<typeof revisionSchema>
export type RevisionWithText = z.infer<typeof revisionWithTextSchema>
export type Author = NonNullable<z.infer<typeof authorSchema>>
export type EarlierSave = z.infer<typeof earlierSaveSchema>
export type StaleArticle = z.infer<typeof staleArticleSchema>
