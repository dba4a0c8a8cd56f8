import * as z from 'zod'
import { dueChangeFields } from './fields.ts'
import { secondStepMethodSchema } from './second-step.ts'
import { roleSchema } from './users.ts'

/** The log: what happened to articles, clients and accounts. */

export const LOG_ACTIONS = [
  'article.created',
  'article.changed',
  'article.planned',
  'article.completed',
  'article.reopened',
  'article.text-restored',
  'article.merged',
  'article.deleted',
  'article.restored',
  'client.created',
  'client.changed',
  'client.deleted',
  'user.created',
  'user.changed',
  'user.invited',
  'user.signed-out',
  'user.second-step-used',
  'user.second-step-added',
  'user.second-step-removed',
  'user.recovery-codes-made',
  'user.deleted',
  'program-token.created',
  'program-token.revoked',
  'program-token.taken-over',
  'template.saved',
  'template.deleted',
  'undelivered-text.done',
  'undelivered-text.reopened',
  'server.new-epoch',
  'server.new-pepper',
  'server.new-receipt-key',
] as const
export type LogAction = (typeof LOG_ACTIONS)[number]

/** Groups of actions that the log can be filtered by. */
export const LOG_KINDS = {
  completed: ['article.completed'],
  reopened: ['article.reopened'],
  changed: ['article.changed', 'article.planned', 'template.saved', 'template.deleted'],
  created: ['article.created'],
  deleted: ['article.deleted', 'article.restored'],
  texts: ['article.text-restored', 'article.merged'],
  clients: ['client.created', 'client.changed', 'client.deleted'],
  users: [
    'user.created',
    'user.changed',
    'user.invited',
    'user.signed-out',
    'user.second-step-used',
    'user.second-step-added',
    'user.second-step-removed',
    'user.recovery-codes-made',
    'user.deleted',
  ],
  programs: ['program-token.created', 'program-token.revoked', 'program-token.taken-over'],
  'undelivered-texts': ['undelivered-text.done', 'undelivered-text.reopened'],
  server: ['server.new-epoch', 'server.new-pepper', 'server.new-receipt-key'],
} as const satisfies Record<string, readonly LogAction[]>
export type LogKind = keyof typeof LOG_KINDS
export const logKindSchema = z.enum(Object.keys(LOG_KINDS) as LogKind[])

/** The name is null where the account or the thing is gone and its name was not recorded. */
const namedSchema = z.strictObject({ id: z.string(), name: z.string().nullable() })
/** The first few of a list of people, and how many it has. */
const peopleSchema = z.strictObject({ count: z.number().int(), first: z.array(namedSchema) })
const sizesSchema = z.strictObject({ now: z.number().int(), before: z.number().int() })

/** One entry. Optional fields are missing where they do not apply, and where an earlier release did not record them. */
export const logEntrySchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.enum(LOG_ACTIONS),
  /** Null: a command on the server. */
  by: namedSchema.nullable(),
  /** The article, client, account or undelivered text, with its name at that moment. */
  subject: namedSchema.extend({
    gone: z.literal(true).optional().meta({ description: 'An article that is deleted now.' }),
  }),
  /** Names of the fields that changed. */
  changed: z.array(z.string()).optional(),
  formerName: z.string().optional(),
  wordMinimum: sizesSchema.optional(),
  ...dueChangeFields,
  entities: sizesSchema.extend({ added: z.number().int(), removed: z.number().int() }).optional(),
  /** The client that a new article was created for, or that it was given to. */
  client: namedSchema.nullable().optional(),
  /** The previous one. In the agency's log alone. */
  formerClient: namedSchema.nullable().optional(),
  textVersion: z.number().int().optional(),
  handIn: z.number().int().optional(),
  restored: z.strictObject({ textVersion: z.number().int(), at: z.iso.datetime() }).optional(),
  mergedWith: namedSchema.nullable().optional(),
  role: roleSchema.optional(),
  /** The second step of a login that was used, added or removed; missing where all of an account were removed. */
  secondStep: secondStepMethodSchema.optional(),
  /** The list that this was done from, together with other entries, and how many articles it created and changed. */
  list: z
    .strictObject({
      id: z.string(),
      source: z.string().nullable(),
      created: z.number().int(),
      changed: z.number().int(),
    })
    .optional(),
  /** Who joined and left a client. */
  joined: peopleSchema.optional(),
  left: peopleSchema.optional(),
})
export type LogEntry = z.infer<typeof logEntrySchema>
export type LogList = NonNullable<LogEntry['list']>
export type LogPeople = z.infer<typeof peopleSchema>

/** Filters of the agency's log; an empty name is none. */
export type LogFilter = {
  name?: string | undefined
  userId?: string | undefined
  articleId?: string | undefined
  kind?: LogKind | undefined
  /** Only entries older than the one with this id. */
  before?: string | undefined
  /** Returns only the newest of the entries that one list made. */
  folded?: boolean | undefined
  /** Returns the entries that are folded into the one with this id. */
  foldedInto?: string | undefined
}
