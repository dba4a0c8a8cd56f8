import * as z from 'zod'
import { LISTED_ARTICLES_MAX, NAMED_MAX, OUTLINE_MAX } from '../limits.ts'
import { keywordListBody, wordMinimumSchema } from './articles.ts'
import {
  checkedListFields,
  daySchema,
  dueChangeFields,
  dueFields,
  idSchema,
  namedSchema,
  nameSchema,
} from './fields.ts'
import { briefSchema } from './plans.ts'

/** POST /articles/list: many articles created or changed from one list, after a dry run. */

/** One heading of the first text of a new article. */
const outlineHeadingSchema = z.strictObject({
  level: z.union([z.literal(2), z.literal(3)]),
  text: nameSchema,
})

/**
 * One article of the list. A field that is missing is left as it is, and empty in a new article (minimum 0). `client` is
 * a name, compared without case. `keywordList` replaces the whole list. `outline` becomes the first text of a new article
 * and never touches a text. `template` is a name, compared without case: it gives a new article what the entry does not
 * give itself, and changes no article that is there.
 */
export const listedArticleBody = z.strictObject({
  name: nameSchema,
  client: nameSchema.optional(),
  wordMinimum: wordMinimumSchema.optional(),
  dueOn: daySchema.optional(),
  brief: briefSchema.optional(),
  template: nameSchema.optional(),
  outline: z.array(outlineHeadingSchema).max(OUTLINE_MAX).optional(),
  keywordList: keywordListBody.optional(),
})

/** What becomes of the articles of a client that the agency does not have: the id of another one, a new one, or none. */
export const clientDecisionSchema = z.strictObject({
  name: nameSchema,
  use: z.union([idSchema, z.literal('create'), z.literal('none')]),
})

export const articleListBody = z.strictObject({
  ...checkedListFields,
  articles: z
    .array(listedArticleBody)
    .min(1, '"articles" must have at least one entry')
    .max(LISTED_ARTICLES_MAX, `"articles" must have at most ${LISTED_ARTICLES_MAX} entries`),
  /** Where the list is from, a file or pasted cells: for the log. */
  source: nameSchema.optional(),
  clients: z.array(clientDecisionSchema).max(LISTED_ARTICLES_MAX).default([]),
})

/**
 * `unclear`: several articles have this name. `repeated`: an earlier article of the list is the same one. `no-template`:
 * a new article names a template that is not there.
 */
export const listedFaultSchema = z.enum(['unclear', 'repeated', 'no-template'])

const changeOf = <T extends z.ZodType>(value: T) => z.strictObject({ now: value, before: value })

/**
 * What happens to one article of the list, in its order. The values are those after the run; `entities` and `headings`
 * are numbers. `id` is null where there is none: of a new article in a dry run, and where the article cannot be done.
 * `clientId` is null, too, for a client that the run would create. `changes` has what differs, of an article that was there:
 * `usedRemoved` names entities that its text uses and that would go (at most NAMED_MAX of them).
 */
export const listedOutcomeSchema = z.strictObject({
  state: z.enum(['new', 'changed', 'same', 'cannot']),
  id: z.string().nullable(),
  name: z.string(),
  clientId: z.string().nullable(),
  clientName: z.string().nullable(),
  wordMinimum: z.number().int(),
  ...dueFields,
  entities: z.number().int(),
  headings: z.number().int(),
  fault: listedFaultSchema.nullable(),
  changes: z.strictObject({
    client: changeOf(z.string().nullable()).optional(),
    wordMinimum: changeOf(z.number().int()).optional(),
    ...dueChangeFields,
    brief: z.literal(true).optional(),
    entities: changeOf(z.number().int())
      .extend({
        added: z.number().int(),
        removed: z.number().int(),
        usedRemoved: z.array(z.string()).max(NAMED_MAX),
        usedRemovedCount: z.number().int(),
      })
      .optional(),
  }),
})

/**
 * `unknownClients`: names that no client has and that are not decided, with the articles of the list that belong to them
 * and the clients whose names are near. While there is one, the run is refused (409 `undecided_client`).
 */
export const articleListAnswerSchema = z.strictObject({
  plan: z.string(),
  done: z.boolean(),
  articles: z.array(listedOutcomeSchema),
  unknownClients: z.array(
    z.strictObject({ name: z.string(), articles: z.number().int(), near: z.array(namedSchema) }),
  ),
})

export type ListedArticle = z.input<typeof listedArticleBody>
export type OutlineHeading = z.infer<typeof outlineHeadingSchema>
export type ClientDecision = z.infer<typeof clientDecisionSchema>
export type ArticleListBody = z.input<typeof articleListBody>
export type ListedOutcome = z.infer<typeof listedOutcomeSchema>
export type ListedFault = z.infer<typeof listedFaultSchema>
export type ArticleListAnswer = z.infer<typeof articleListAnswerSchema>
