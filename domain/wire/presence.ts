import * as z from 'zod'
import { PRESENCE_ARTICLES_MAX, PRESENCE_BLOCKS_MAX, PRESENCE_NAMES_MAX } from '../limits.ts'
import { idSchema } from './fields.ts'

/** Who has an article open. Nothing of it is stored, and no times are said. */

/** The first letters of the hash of a block's text. */
const blockSchema = z.string().regex(/^[\da-f]{16}$/)

const openArticleSchema = z.strictObject({
  id: idSchema,
  /** Whether the user typed in it within the last 30 seconds. */
  writing: z.boolean(),
  /** The block typed in last, by its text now and a little earlier. */
  blocks: z.array(blockSchema).max(PRESENCE_BLOCKS_MAX),
})

/** PUT /presence: everything that the pages of this session have open. */
export const presenceBody = z.strictObject({
  articles: z
    .array(openArticleSchema)
    .max(PRESENCE_ARTICLES_MAX, `"articles" must have at most ${PRESENCE_ARTICLES_MAX} entries`),
})

const presentSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  writing: z.boolean(),
  blocks: z.array(z.string()),
})

/** The event `presence` of the stream: the other users who have this article open. */
export const presenceSchema = z.strictObject({
  articleId: z.string(),
  /** At most three of them. */
  people: z.array(presentSchema).max(PRESENCE_NAMES_MAX),
  /** How many there are. */
  count: z.number().int(),
})

export type OpenArticle = z.infer<typeof openArticleSchema>
export type Present = z.infer<typeof presentSchema>
export type Others = z.infer<typeof presenceSchema>
