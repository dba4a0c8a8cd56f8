import * as z from 'zod'
import type { ArticleText } from '../text/document.ts'
import { undeliveredDocumentSchema } from './articles.ts'

/** The calls about texts that an article did not take. */

/** Why the server did not take a text as the article's. */
export const undeliveredReasonSchema = z.enum([
  'completed',
  'deleted',
  'revoked',
  'too-large',
  'rejected',
])

/** POST /articles/{id}/undelivered-texts: a text that its article did not take, for the agency to read. */
export const undeliveredTextCreateBody = z.strictObject({
  articleText: undeliveredDocumentSchema,
  reason: undeliveredReasonSchema,
})
export const undeliveredReceiptSchema = z.strictObject({
  id: z.string(),
  createdAt: z.iso.datetime(),
})

/** The names are those of the moment it was sent; article and account may be gone. */
export const undeliveredTextSchema = undeliveredReceiptSchema.extend({
  article: z.strictObject({ id: z.string(), name: z.string() }),
  author: z.strictObject({ id: z.string(), name: z.string() }),
  reason: undeliveredReasonSchema,
  words: z.number().int(),
  /** When an admin dealt with it; null until then. The text is kept either way. */
  doneAt: z.iso.datetime().nullable(),
})
export const undeliveredTextWithDocumentSchema = undeliveredTextSchema.extend({
  articleText: z.custom<ArticleText>(),
})
export const undeliveredTextPatchBody = z.strictObject({ done: z.boolean() })

export type UndeliveredReason = z.infer<typeof undeliveredReasonSchema>
export type UndeliveredText = z.infer<typeof undeliveredTextSchema>
export type UndeliveredTextWithDocument = z.infer<typeof undeliveredTextWithDocumentSchema>
