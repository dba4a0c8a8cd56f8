import * as z from 'zod'
import { authorSchema } from './articles.ts'
import { idSchema, nameSchema } from './fields.ts'

/** Templates: brief, outline, minimum and entities of one article, for the next ones. */

/** POST /templates. Copies from the article as it is now, and replaces the template with this name. */
export const templateBody = z.strictObject({ name: nameSchema, articleId: idSchema })

/** `headings` and `entities` are numbers. */
export const templateSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  hasBrief: z.boolean(),
  headings: z.number().int(),
  wordMinimum: z.number().int(),
  entities: z.number().int(),
  changedBy: authorSchema,
  changedAt: z.iso.datetime(),
})

/** All of them, by name. */
export const templatesSchema = z.strictObject({ results: z.array(templateSchema) })

export type Template = z.infer<typeof templateSchema>
export type TemplateBody = z.infer<typeof templateBody>
