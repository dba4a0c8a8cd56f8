import * as z from 'zod'
import {
  EMAIL_PATTERN,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
  passwordText,
} from '../access/user.ts'
import { isDueDay } from '../calendar/due-date.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts'
import { CONTROLS, cleanName, OVERRIDES, trimUnseen } from '../names/name.ts'
import { VISIBLE } from '../text/characters.ts'

/**
 * The contract of the /v1 calls is in this folder, by noun: one schema for what is checked at run time, for the
 * types both sides use, and for the API description. Only the server imports the schemas as values; the page and the
 * sync core import the types. This file has what all nouns share: text fields and lists.
 */

/** Control characters, bidirectional overrides and lone surrogates are invalid in one line. */
export const oneLine = /^[^\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

export const nameSchema = z
  .string()
  .overwrite(cleanName)
  .regex(VISIBLE, '"name" is required')
  .max(NAME_MAX, `"name" must be at most ${NAME_MAX} characters`)
  .refine((name) => !CONTROLS.test(name), '"name" has characters that are not allowed')
  .refine(
    (name) => !OVERRIDES.test(name),
    '"name" has hidden characters that change the direction of its text',
  )
  .meta({
    description:
      'Stored in NFC. Blanks and characters that are not seen are taken away at its ends before it is checked.',
  })

/** Ids are UUIDs; their order is the order of creation (Q92). */
export const idSchema = z
  .string()
  .regex(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/)

/** Trimmed and in lower case, so that addresses compare equal. */
export const emailSchema = z
  .string()
  .overwrite(trimUnseen)
  .regex(EMAIL_PATTERN, { message: '"email" must be a valid email', abort: true })
  .toLowerCase()
  .max(EMAIL_MAX, '"email" must be a valid email')
  .meta({ description: 'Blanks and characters that are not seen are taken away at its ends.' })

/** Normalised to NFC (Q19). */
export const newPasswordSchema = z
  .string()
  .overwrite(passwordText)
  .min(PASSWORD_MIN, PASSWORD_TOO_SHORT)
  .max(PASSWORD_MAX, PASSWORD_TOO_LONG)

/** A calendar day of the agency (domain/calendar/due-date.ts). */
export const daySchema = z.iso
  .date({ abort: true })
  .refine(isDueDay, { params: { format: 'date' } })

/** When an article is due; null without a date. */
export const dueFields = { dueOn: daySchema.nullable() }

const dueChangeSchema = z.strictObject({ now: daySchema.nullable(), before: daySchema.nullable() })
/** Missing if the date does not change. */
export const dueChangeFields = { dueOn: dueChangeSchema.optional() }

export const namedSchema = z.strictObject({ id: z.string(), name: z.string() })

/** The body of a change: some of the fields, at least one. */
export const someOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z
    .strictObject(fields)
    .partial()
    .refine((body) => Object.keys(body).length > 0, { message: 'Nothing to change' })
    .meta({ minProperties: 1 })

export const listSchema = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    results: z.array(item),
    page: z.number().int(),
    limit: z.number().int(),
    totalPages: z.number().int(),
    totalResults: z.number().int(),
  })

export type List<T> = {
  results: T[]
  page: number
  limit: number
  totalPages: number
  totalResults: number
}

/**
 * Of a list that is checked before it is carried out. `dryRun` saves nothing and answers with what would happen and a `plan`.
 * Without it the run happens, if the plan is still the same: otherwise 409 `stale_plan` with the new dry run, and nothing is
 * done.
 */
export const checkedListFields = { dryRun: z.boolean(), plan: z.string().max(200).optional() }
