import * as z from 'zod'
import { receiptSchema } from './hand-ins.ts'

/** What programs read of hand-ins. */

/**
 * A hand-in as a program reads it. It never leaves the list and keeps its position; `reopenedAt` is null unless the
 * article was reopened after it. `name` and `html` are of the article at present and of the text that was handed in; both
 * and the receipt are null where the article is deleted, or belongs to a client that the token may not see.
 */
export const handOverSchema = z.strictObject({
  position: z.number().int(),
  articleId: z.string(),
  /** Counts the hand-ins of the article from 1. */
  number: z.number().int(),
  at: z.iso.datetime(),
  clientId: z.string(),
  reopenedAt: z.iso.datetime().nullable(),
  name: z.string().nullable(),
  html: z.string().nullable(),
  receipt: receiptSchema.nullable(),
})

/** One page, by rising positions. `next` is the `since` of the page after it, `more` whether it has hand-ins already. */
export const handOversSchema = z.strictObject({
  results: z.array(handOverSchema),
  next: z.number().int(),
  more: z.boolean(),
})

export type HandOver = z.infer<typeof handOverSchema>
export type HandOvers = z.infer<typeof handOversSchema>
