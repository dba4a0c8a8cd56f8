import * as z from 'zod'
import { articleListAnswerSchema } from './article-lists.ts'
import { staleArticleSchema } from './articles.ts'
import { peopleListAnswerSchema } from './people-lists.ts'
import { planSchema } from './plans.ts'
import { secondStepAskedSchema } from './second-step.ts'

/** Body of every failed call. `list` is what a refused list of articles or people would do now; nothing of it is done. */

export const errorSchema = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  requestId: z.string(),
  reason: z.string().optional(),
  list: z.union([articleListAnswerSchema, peopleListAnswerSchema]).optional(),
  secondStep: secondStepAskedSchema.optional().meta({
    description: 'Only of a login whose password was right: the second step that it needs.',
  }),
  current: z.union([staleArticleSchema, planSchema]).optional().meta({
    description:
      'Only with 412: the present state of what was to be changed, an article or a plan.',
  }),
})

export type ErrorBody = z.infer<typeof errorSchema>
