import * as z from 'zod'
import { BATCH_CHANGES_MAX } from '../limits.ts'
import { articleSchema, articleTextSchema } from './articles.ts'
import { errorSchema } from './errors.ts'

/** A writer's change of an article, alone or in a batch, and the response to it. */

export const articlePatchBody = z
  .strictObject({ articleText: articleTextSchema.optional(), completed: z.boolean().optional() })
  .refine((body) => body.articleText !== undefined || body.completed !== undefined, {
    message: 'Nothing to change',
  })
  .meta({ minProperties: 1 })

/** The headers of PATCH /articles/{id}, sent next to the change under the same names. */
const articleChangeHeaders = z.strictObject({
  'Idempotency-Key': z.string().optional(),
  'If-Match': z.string().optional(),
  'Server-Epoch': z.string().optional(),
  'Contun-Reason': z.string().optional(),
  'Contun-Supersedes': z.string().optional(),
  Prefer: z.string().optional(),
})

/** An `articlePatchBody`, validated when the change is applied: an invalid one does not affect the others. */
export const articleChangeBody = z.unknown()

export const articleChangeSchema = z.strictObject({
  id: z.string(),
  headers: articleChangeHeaders.default({}),
  body: articleChangeBody,
})

/** PATCH /articles: changes that are applied in order, each as if it were sent alone. */
export const articleBatchBody = z.strictObject({
  changes: z
    .array(articleChangeSchema)
    .min(1, '"changes" must have at least one entry')
    .max(BATCH_CHANGES_MAX, `"changes" must have at most ${BATCH_CHANGES_MAX} entries`),
})

/** The response that PATCH /articles/{id} would give to the change of `id`. `headers` are those with information. */
export const changeAnswerSchema = z.strictObject({
  id: z.string(),
  status: z.number().int(),
  headers: z.record(z.string(), z.string()),
  body: z.union([articleSchema, errorSchema]),
})

/** In the order of the changes. */
export const batchAnswerSchema = z.strictObject({ answers: z.array(changeAnswerSchema) })

export type BatchAnswer = z.infer<typeof batchAnswerSchema>
