import * as z from 'zod'
import { staleArticleSchema } from './wire-articles.ts'

/** Body of every failed call. */

export const errorSchema = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  requestId: z.string(),
  reason: z.string().optional(),
  current: staleArticleSchema.optional(),
})

export type ErrorBody = z.infer<typeof errorSchema>
