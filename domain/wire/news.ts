import * as z from 'zod'

/** The event stream. */

/** The first event of the stream: the epoch, and the number of changes in it so far. */
export const helloSchema = z.strictObject({ epoch: z.string(), seq: z.number() })

/** Something changed: this article, or, without one, who sees which. The reader asks what it is now. */
export const hintSchema = z.union([
  z.strictObject({
    seq: z.number(),
    articleId: z.string(),
    version: z.number(),
    textVersion: z.number(),
    /** How many notes the article has. */
    notes: z.number().optional(),
    /** The counter of its plan; missing without one. */
    plan: z.number().optional(),
  }),
  z.strictObject({ seq: z.number() }),
])

export type Hello = z.infer<typeof helloSchema>
export type Hint = z.infer<typeof hintSchema>
