import * as z from 'zod'
import { articleSchema } from './articles.ts'
import { handInSchema } from './hand-ins.ts'
import { articleNoteSchema } from './notes.ts'
import { planSchema } from './plans.ts'

/**
 * What a device keeps of an article for work without a connection, as the single calls return it. `handIns` are the
 * newest; `article.handIns` counts all.
 */
export const copySchema = z.strictObject({
  article: articleSchema,
  plan: planSchema,
  handIns: z.array(handInSchema),
  notes: z.array(articleNoteSchema),
})

/** `rest`: articles without room in this response. Those that the user may not read are in neither. */
export const copiesSchema = z.strictObject({
  results: z.array(copySchema),
  rest: z.array(z.string()),
})

export type Copy = z.infer<typeof copySchema>
export type Copies = z.infer<typeof copiesSchema>
