import * as z from 'zod'
import { articleListAnswerSchema } from './wire-article-lists.ts'
import { staleArticleSchema } from './wire-articles.ts'

/** Body of every failed call. `list` is what a refused list of articles would do now; nothing of it is done. */

export const errorSchema = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  requestId: z.string(),
  reason: z.string().optional(),
  current: staleArticleSchema.optional(),
  list: articleListAnswerSchema.optional(),
})

export type ErrorBody = z.infer<typeof errorSchema>
