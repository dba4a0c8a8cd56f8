import * as z from 'zod'
import {
  articleListAnswerSchema,
  listedArticleBody,
  listedOutcomeSchema,
} from '../../domain/wire/article-lists.ts'
import {
  articleClientSchema,
  articleCreateBody,
  articleSchema,
  articleSettingsBody,
  articleTextSchema,
  keywordSchema,
  revisionSchema,
  staleArticleSchema,
  undeliveredDocumentSchema,
} from '../../domain/wire/articles.ts'
import {
  articleChangeBody,
  articleChangeSchema,
  articlePatchBody,
  changeAnswerSchema,
} from '../../domain/wire/changes.ts'
import { clientPatchBody, clientSchema } from '../../domain/wire/clients.ts'
import { errorSchema } from '../../domain/wire/errors.ts'
import * as handIns from '../../domain/wire/hand-ins.ts'
import { handOverSchema } from '../../domain/wire/hand-overs.ts'
import { logEntrySchema } from '../../domain/wire/log.ts'
import { helloSchema, hintSchema } from '../../domain/wire/news.ts'
import { articleNoteSchema, noteCreateBody } from '../../domain/wire/notes.ts'
import { planSchema } from '../../domain/wire/plans.ts'
import { presenceSchema } from '../../domain/wire/presence.ts'
import * as programTokens from '../../domain/wire/program-tokens.ts'
import { secondStepAskedSchema, secondStepSchema } from '../../domain/wire/second-step.ts'
import * as undelivered from '../../domain/wire/undelivered.ts'
import {
  resetPasswordBody,
  sessionSchema,
  tokenSchema,
  tokensSchema,
  userCreateBody,
  userPatchBody,
  userSchema,
} from '../../domain/wire/users.ts'

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>

export const healthSchema = z.strictObject({ status: z.enum(['ok', 'ready', 'unavailable']) })
export const aliveSchema = z.strictObject({ status: z.literal('ok'), version: z.string() })
export const descriptionSchema = z.looseObject({ openapi: z.literal('3.1.0') })
/** The data of one event. */
export const newsSchema = z.union([helloSchema, hintSchema, presenceSchema])
/** The token may be in the body or in the query string. */
export const resetPasswordQuery = resetPasswordBody.pick({ token: true })

const NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [articleSchema, 'Article'],
  [articleClientSchema, 'ArticleClient'],
  [articleCreateBody, 'ArticleCreate'],
  [articleListAnswerSchema, 'ArticleListAnswer'],
  [listedArticleBody, 'ListedArticle'],
  [listedOutcomeSchema, 'ListedOutcome'],
  [articleChangeSchema, 'ArticleChange'],
  [articlePatchBody, 'ArticlePatch'],
  [changeAnswerSchema, 'ChangeAnswer'],
  [articleSettingsBody, 'ArticleSettings'],
  [clientSchema, 'Client'],
  [clientPatchBody, 'ClientPatch'],
  [errorSchema, 'Error'],
  [handIns.receiptSchema, 'Receipt'],
  [handIns.handInSchema, 'HandIn'],
  [handOverSchema, 'HandOver'],
  [articleNoteSchema, 'ArticleNote'],
  [noteCreateBody, 'NoteCreate'],
  [keywordSchema, 'Keyword'],
  [logEntrySchema, 'LogEntry'],
  [planSchema, 'Plan'],
  [programTokens.programTokenSchema, 'ProgramToken'],
  [programTokens.newProgramTokenSchema, 'NewProgramToken'],
  [programTokens.programTokenCreateBody, 'ProgramTokenCreate'],
  [revisionSchema, 'Revision'],
  [secondStepSchema, 'SecondStep'],
  [secondStepAskedSchema, 'SecondStepAsked'],
  [sessionSchema, 'Session'],
  [staleArticleSchema, 'StaleArticle'],
  [undelivered.undeliveredTextSchema, 'UndeliveredText'],
  [undelivered.undeliveredTextCreateBody, 'UndeliveredTextCreate'],
  [tokenSchema, 'Token'],
  [tokensSchema, 'Tokens'],
  [userSchema, 'User'],
  [userCreateBody, 'UserCreate'],
  [userPatchBody, 'UserPatch'],
])

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The schema for use in another one: a reference if it is named. */
export function usedSchema(schema: z.ZodType): JsonSchema {
  const name = NAMES.get(schema)
  return name === undefined ? wholeSchema(schema) : refTo(name)
}

export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries([...NAMES].map(([schema, name]) => [name, wholeSchema(schema as z.ZodType)]))

/** Describes the input: for a transformed value, the form before. Output is never transformed. */
function wholeSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const name = path.length > 0 ? nameOf(zodSchema) : undefined
      if (name !== undefined) replace(jsonSchema, refTo(name))
      // An integer in an address is parsed from text.
      else if (jsonSchema.type === 'integer') delete jsonSchema.pattern
    },
  })
  return json
}

/** The text of an article is the one schema that zod cannot describe. */
function nameOf(schema: z.core.$ZodType): string | undefined {
  // Parsed later, and then as this schema.
  if (schema === articleChangeBody) return 'ArticlePatch'
  const isText =
    schema === articleTextSchema ||
    schema === undeliveredDocumentSchema ||
    schema._zod.def.type === 'custom'
  return isText ? 'ArticleText' : NAMES.get(schema)
}

function replace(schema: object, by: JsonSchema): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, by)
}
