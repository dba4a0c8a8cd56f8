import * as z from 'zod'
import { BRIEF_MAX } from '../limits.ts'
import { noteText } from '../notes/note-text.ts'
import { authorSchema } from './articles.ts'
import { dueFields } from './fields.ts'

/** What is asked of an article in addition to its name, minimum and entities: the brief, and the day when it is due. */

export const briefSchema = z
  .string()
  .overwrite(noteText)
  .max(BRIEF_MAX, `"brief" must have at most ${BRIEF_MAX} characters`)

/** PUT /articles/{id}/plan, with the `counter` that it is based on in If-Match, as `"p<counter>"`. */
export const planBody = z.strictObject({ brief: briefSchema, ...dueFields })

/**
 * An article that was never planned has counter 0, an empty brief, no date, and no author. `counter` counts
 * the changes; those of a plan change neither `version` nor `updatedAt` of the article.
 */
export const planSchema = z.strictObject({
  brief: z.string(),
  ...dueFields,
  counter: z.number().int(),
  changedBy: authorSchema,
  changedAt: z.iso.datetime().nullable(),
})

export type Plan = z.infer<typeof planSchema>
export type PlanBody = z.infer<typeof planBody>
