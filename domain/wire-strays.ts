import * as z from 'zod'
import type { ArticleText } from './document.ts'
import { strayTextSchema } from './wire-articles.ts'

/** The calls about texts that an article did not take. */

/** Why the server did not take a text as the article's. */
export const strayReasonSchema = z.enum([
  'completed',
  'deleted',
  'revoked',
  'too-large',
  'rejected',
])

/** POST /articles/{id}/strays: a text that its article did not take, for the agency to read. */
export const strayCreateBody = z.strictObject({
  articleText: strayTextSchema,
  reason: strayReasonSchema,
})
export const strayReceiptSchema = z.strictObject({ id: z.string(), createdAt: z.iso.datetime() })

/** The names are those of the moment it was sent; article and account may be gone. */
export const straySchema = strayReceiptSchema.extend({
  article: z.strictObject({ id: z.string(), name: z.string() }),
  author: z.strictObject({ id: z.string(), name: z.string() }),
  reason: strayReasonSchema,
  words: z.number().int(),
  /** When an admin dealt with it; null until then. The text is kept either way. */
  doneAt: z.iso.datetime().nullable(),
})
export const strayWithTextSchema = straySchema.extend({ articleText: z.custom<ArticleText>() })
export const strayPatchBody = z.strictObject({ done: z.boolean() })

export type StrayReason = z.infer<typeof strayReasonSchema>
export type Stray = z.infer<typeof straySchema>
export type StrayWithText = z.infer<typeof strayWithTextSchema>
