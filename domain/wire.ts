import * as z from 'zod'
import type { ArticleText } from './document.ts'
import { readDocument } from './document.ts'
import {
  ARTICLE_SIZE,
  BATCH_CHANGES_MAX,
  CATEGORY_MAX,
  CLIENT_USERS_MAX,
  type DocumentSize,
  EMAIL_MAX,
  KEYWORD_MAX,
  KEYWORDS_MAX,
  NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  SCORE_MAX,
  SOURCE_MAX,
  STRAY_SIZE,
  WORD_MINIMUM_MAX,
} from './limits.ts'
import { EMAIL_PATTERN } from './user.ts'

/**
 * The contract of the /v1 calls: one schema for what is checked at run time, for the types both
 * sides use, and for the API description. Only the server imports the schemas as values; the page
 * and the sync core import the types.
 */

// ── Users and sessions ──────────────────────────────────────────────────────────────────────────

export const roleSchema = z.enum(['admin', 'user'])

/** `name` and `fullName` are always equal: the session has both, the API user only needs one. */
export const userSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  fullName: z.string(),
  email: z.string(),
  role: roleSchema,
  isEmailVerified: z.boolean(),
})

export const tokenSchema = z.strictObject({ token: z.string(), expires: z.iso.datetime() })
export const tokensSchema = z.strictObject({ access: tokenSchema, refresh: tokenSchema })
export const sessionSchema = z.strictObject({ user: userSchema, tokens: tokensSchema })

// ── News ────────────────────────────────────────────────────────────────────────────────────────

/** The first event of the stream: the history of the data, and how many changes it had so far. */
export const helloSchema = z.strictObject({ epoch: z.string(), seq: z.number() })

/** Something changed: this article, or, without one, who sees which. The reader asks what it is now. */
export const hintSchema = z.union([
  z.strictObject({
    seq: z.number(),
    articleId: z.string(),
    version: z.number(),
    textVersion: z.number(),
  }),
  z.strictObject({ seq: z.number() }),
])

export type Hello = z.infer<typeof helloSchema>
export type Hint = z.infer<typeof hintSchema>

// ── Reading what people type ────────────────────────────────────────────────────────────────────

/** Control characters, bidirectional overrides and halves of a character never belong in one line. */
export const oneLine = /^[^\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

export const nameSchema = z
  .string()
  .trim()
  .min(1, '"name" is required')
  .max(NAME_MAX, `"name" must be at most ${NAME_MAX} characters`)
  .regex(oneLine, '"name" has characters that are not allowed')
  .meta({ description: 'Blanks around it are taken away before it is checked.' })

/** Ids are UUIDs; their order is the order of creation (Q92). */
export const idSchema = z
  .string()
  .regex(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/)

/** Trimmed and lower-cased, so that one person has one spelling. */
export const emailSchema = z
  .string()
  .trim()
  .regex(EMAIL_PATTERN, { message: '"email" must be a valid email', abort: true })
  .toLowerCase()
  .max(EMAIL_MAX, '"email" must be a valid email')
  .meta({ description: 'Blanks around it are taken away before it is checked.' })

export const newPasswordSchema = z
  .string()
  .min(PASSWORD_MIN, `password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `password must be at most ${PASSWORD_MAX} characters`)

// ── Account calls ───────────────────────────────────────────────────────────────────────────────

export const loginBody = z.strictObject({
  email: emailSchema,
  password: z.string().min(1, '"password" is required').max(PASSWORD_MAX),
})
export const registerBody = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
})
export const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(4096) })
export const logoutBody = refreshBody
export const forgotPasswordBody = z.strictObject({ email: emailSchema })
export const resetPasswordBody = z.strictObject({
  token: z.string().min(1).max(4096).optional(),
  password: newPasswordSchema,
})
/** The account itself may send its password only; the rest is for admins (Q28). */
export const userPatchBody = z
  .strictObject({
    name: nameSchema.optional(),
    email: emailSchema.optional(),
    role: roleSchema.optional(),
    password: newPasswordSchema.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: 'Nothing to change' })
  .meta({ minProperties: 1 })

/**
 * POST /users. Nobody is made an admin by leaving something out. DELETE /users/{id}/sessions, without a
 * body, signs the account out everywhere (Q58).
 */
export const userCreateBody = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  role: roleSchema.default('user'),
})

// ── Clients ─────────────────────────────────────────────────────────────────────────────────────

/** Only admins get clients in this form; inside an article the users are ids (Q61). */
export const clientUserSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
})
export const clientSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  moonOwlClient: z.boolean(),
  users: z.array(clientUserSchema),
})

export const clientCreateBody = z.strictObject({ name: nameSchema })
/** `users` replaces the whole list; an id that comes twice is stored once. */
export const clientPatchBody = z
  .strictObject({
    name: nameSchema.optional(),
    moonOwlClient: z.boolean().optional(),
    users: z
      .array(idSchema)
      .max(CLIENT_USERS_MAX, `"users" must have at most ${CLIENT_USERS_MAX} entries`)
      .optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: 'Nothing to change' })
  .meta({ minProperties: 1 })

// ── Articles ────────────────────────────────────────────────────────────────────────────────────

/** `score` stays as it was uploaded, a number or its text. */
export const keywordSchema = z.strictObject({
  keyword: z.string(),
  source: z.string(),
  score: z.union([z.number(), z.string()]),
  category: z.string(),
})

/** `users` are ids only, whoever asks. `deleted` marks a client that is gone from every list. */
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
export const strayTextSchema = textSchema(STRAY_SIZE)

/** Who wrote a text; null when nobody in particular did or the account is gone. */
const authorSchema = z.strictObject({ id: z.string(), name: z.string() }).nullable()

/**
 * `version` counts every change, `textVersion` only changes of the text. `articleText` is missing in
 * lists that did not ask for it and in answers to a request that preferred the minimal form. Lists do not
 * name the author of the text either.
 */
export const articleSchema = z.strictObject({
  id: z.string(),
  _id: z.string(),
  name: z.string(),
  clientId: articleClientSchema.nullable(),
  wordMinimum: z.number().int(),
  articleText: z.custom<ArticleText>().optional(),
  updatedBy: authorSchema.optional(),
  keywordList: z.array(keywordSchema),
  completed: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: z.number().int(),
  textVersion: z.number().int(),
})

export const articlePatchBody = z
  .strictObject({ articleText: articleTextSchema.optional(), completed: z.boolean().optional() })
  .refine((body) => body.articleText !== undefined || body.completed !== undefined, {
    message: 'Nothing to change',
  })
  .meta({ minProperties: 1 })

/** What PATCH /articles/{id} reads as headers stands beside the change here, under the same names. */
const articleChangeHeaders = z.strictObject({
  'Idempotency-Key': z.string().optional(),
  'If-Match': z.string().optional(),
  'Server-Epoch': z.string().optional(),
  'Contun-Reason': z.string().optional(),
  Prefer: z.string().optional(),
})

/** An `articlePatchBody`, checked when its turn comes: one that does not fit is no fault of the others. */
export const articleChangeBody = z.unknown()

export const articleChangeSchema = z.strictObject({
  id: z.string(),
  headers: articleChangeHeaders.default({}),
  body: articleChangeBody,
})

/** PATCH /articles: changes that are carried out one after the other, each as if it had come alone. */
export const articleBatchBody = z.strictObject({
  changes: z
    .array(articleChangeSchema)
    .min(1, '"changes" must have at least one entry')
    .max(BATCH_CHANGES_MAX, `"changes" must have at most ${BATCH_CHANGES_MAX} entries`),
})

const wordMinimumSchema = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= WORD_MINIMUM_MAX, {
    message: `"wordMinimum" must be a whole number from 0 to ${WORD_MINIMUM_MAX}`,
  })
  .meta({ type: 'integer', minimum: 0, maximum: WORD_MINIMUM_MAX })

/** POST /articles. Without a client it is for admins only; keywords are added after creation. */
export const articleCreateBody = z.strictObject({
  name: nameSchema,
  clientId: idSchema.nullable().default(null),
  wordMinimum: wordMinimumSchema,
  articleText: articleTextSchema.default({}),
})

const keywordBody = z.strictObject({
  keyword: z.string().min(1).max(KEYWORD_MAX).regex(oneLine),
  source: z.string().max(SOURCE_MAX).regex(oneLine),
  score: z.union([z.number(), z.string().max(SCORE_MAX).regex(oneLine)]),
  category: z.string().max(CATEGORY_MAX).regex(oneLine),
})

/** PATCH /articles/admin/{id}. `keywordList` replaces the whole list; `clientId` null takes the client away. */
export const articleSettingsBody = z
  .strictObject({
    name: nameSchema.optional(),
    clientId: idSchema.nullable().optional(),
    wordMinimum: wordMinimumSchema.optional(),
    keywordList: z
      .array(keywordBody)
      .max(KEYWORDS_MAX, `"keywordList" must have at most ${KEYWORDS_MAX} entries`)
      .optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: 'Nothing to change' })
  .meta({ minProperties: 1 })

export const listSchema = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    results: z.array(item),
    page: z.number().int(),
    limit: z.number().int(),
    totalPages: z.number().int(),
    totalResults: z.number().int(),
  })

/** One text that an article had. */
export const revisionSchema = z.strictObject({
  textVersion: z.number().int(),
  words: z.number().int(),
  author: authorSchema,
  reason: z.string(),
  createdAt: z.iso.datetime(),
})
export const revisionWithTextSchema = revisionSchema.extend({
  articleText: z.custom<ArticleText>(),
})

/** What a stale `If-Match` gets beside the error, so that the laptop can merge without asking again. */
export const staleArticleSchema = z.strictObject({
  version: z.number().int(),
  textVersion: z.number().int(),
  updatedAt: z.iso.datetime(),
  completed: z.boolean(),
  articleText: z.custom<ArticleText>(),
  updatedBy: authorSchema,
})

export const errorSchema = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  requestId: z.string(),
  reason: z.string().optional(),
  current: staleArticleSchema.optional(),
})

/** What PATCH /articles/{id} would have answered to the change of `id`. `headers` are those that tell something. */
export const changeAnswerSchema = z.strictObject({
  id: z.string(),
  status: z.number().int(),
  headers: z.record(z.string(), z.string()),
  body: z.union([articleSchema, errorSchema]),
})
/** In the order of the changes. */
export const batchAnswerSchema = z.strictObject({ answers: z.array(changeAnswerSchema) })

export type Role = z.infer<typeof roleSchema>
export type User = z.infer<typeof userSchema>
export type Token = z.infer<typeof tokenSchema>
export type Tokens = z.infer<typeof tokensSchema>
export type Session = z.infer<typeof sessionSchema>
export type UserPatch = z.infer<typeof userPatchBody>
export type UserCreate = z.input<typeof userCreateBody>
export type Client = z.infer<typeof clientSchema>
export type ClientUser = z.infer<typeof clientUserSchema>
export type ClientCreate = z.infer<typeof clientCreateBody>
export type ClientPatch = z.infer<typeof clientPatchBody>
export type Keyword = z.infer<typeof keywordSchema>
export type ArticleClient = z.infer<typeof articleClientSchema>
export type Article = z.infer<typeof articleSchema>
export type ArticlePatch = z.infer<typeof articlePatchBody>
export type ArticleChange = z.input<typeof articleChangeSchema>
export type BatchAnswer = z.infer<typeof batchAnswerSchema>
export type ArticleCreate = z.input<typeof articleCreateBody>
export type ArticleSettings = z.infer<typeof articleSettingsBody>
export type Revision = z.infer<typeof revisionSchema>
export type Author = NonNullable<z.infer<typeof authorSchema>>
export type StaleArticle = z.infer<typeof staleArticleSchema>
export type ErrorBody = z.infer<typeof errorSchema>
export type List<T> = {
  results: T[]
  page: number
  limit: number
  totalPages: number
  totalResults: number
}
