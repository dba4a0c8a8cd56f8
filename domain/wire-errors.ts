import * as z from 'zod'
import { staleArticleSchema } from './wire-articles.ts'
import { planSchema } from './wire-plans.ts'

/** Body of every failed call. */

export const errorSchema = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  requestId: z.string(),
  reason: z.string().optional(),
  current: z.union([staleArticleSchema, planSchema]).optional().meta({
    description:
      'Only with 412: the present state of what was to be changed, an article or a plan.',
  }),
})

export type ErrorBody = z.infer<typeof errorSchema>
