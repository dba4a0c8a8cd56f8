import * as z from 'zod'
import { daySchema, namedSchema } from './fields.ts'

/** GET /home. `today`: start of the user's day. */
export const homeQuery = z.object({
  today: z.iso
    .datetime({ message: '"today" must be a time in UTC' })
    .optional()
    .meta({ description: 'When the day began; without it, midnight in UTC.' }),
})

const reviewSchema = z.strictObject({ toReview: z.number().int(), all: z.number().int() })

/** Items that need the attention of an admin. */
export const homeSchema = z.strictObject({
  /** End of the previous visit; null in the first one. */
  lastVisit: z.iso.datetime().nullable(),
  /** Completed since then and still complete, newest first; in the first visit all of them. `articles` has a few. */
  completed: z.strictObject({
    total: z.number().int(),
    articles: z.array(
      namedSchema.extend({
        clientName: z.string().nullable(),
        /** Null when that account is gone. */
        completedBy: z.string().nullable(),
        completedAt: z.iso.datetime(),
        words: z.number().int(),
      }),
    ),
  }),
  /** Open articles due before `agencyToday`, longest late first; `articles` has a few. */
  late: z.strictObject({
    total: z.number().int(),
    articles: z.array(
      namedSchema.extend({
        clientName: z.string().nullable(),
        words: z.number().int(),
        wordMinimum: z.number().int(),
        dueOn: daySchema,
      }),
    ),
  }),
  /** Open articles due from `agencyToday` until Sunday. */
  dueThisWeek: z.number().int(),
  /** Day of the agency, which decides what is late. */
  agencyToday: daySchema,
  withoutEntities: z.number().int(),
  withoutClient: z.number().int(),
  /** Texts that writers sent separately, because their article did not accept them. */
  undeliveredTexts: reviewSchema,
  /** The same, for open pages of earlier releases. */
  strays: reviewSchema.meta({ deprecated: true }),
  /** Articles whose text was saved today, and the number of users who saved them last. */
  written: z.strictObject({ articles: z.number().int(), people: z.number().int() }),
  /** Steps already done. Null once any article has entities. */
  firstSteps: z
    .strictObject({
      client: namedSchema.nullable(),
      /** Has an account, and may have no client yet. */
      user: namedSchema.nullable(),
      writer: z.strictObject({ name: z.string(), clientName: z.string() }).nullable(),
      article: namedSchema.nullable(),
    })
    .nullable(),
})

export type Home = z.infer<typeof homeSchema>
