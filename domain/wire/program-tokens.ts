import * as z from 'zod'
import { PROGRAM_TOKEN_CLIENTS_MAX, PROGRAM_TOKEN_DAYS_MAX } from '../limits.ts'
import { idSchema, namedSchema, nameSchema } from './fields.ts'

/** Tokens with which programs read what was handed in. */

/** `without-admin`: the owner is no admin at present, and the token works again once an admin takes it over. */
export const programTokenStateSchema = z.enum(['active', 'expired', 'without-admin'])

export const programTokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  clients: z.array(namedSchema),
  /** The admin who made it or took it over. */
  owner: namedSchema,
  state: programTokenStateSchema,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** A day in UTC; null before the first use. */
  lastUsedOn: z.iso.date().nullable(),
})

/** The only response with the token. */
export const newProgramTokenSchema = programTokenSchema.extend({ token: z.string() })

export const programTokensSchema = z.strictObject({ results: z.array(programTokenSchema) })

export const programTokenCreateBody = z.strictObject({
  name: nameSchema,
  clientIds: z
    .array(idSchema)
    .min(1, '"clientIds" is required')
    .max(PROGRAM_TOKEN_CLIENTS_MAX, `"clientIds" must be at most ${PROGRAM_TOKEN_CLIENTS_MAX} ids`),
  days: z
    .number()
    .int()
    .min(1)
    .max(PROGRAM_TOKEN_DAYS_MAX, `"days" must be at most ${PROGRAM_TOKEN_DAYS_MAX}`),
})

export type ProgramToken = z.infer<typeof programTokenSchema>
export type ProgramTokenState = z.infer<typeof programTokenStateSchema>
export type NewProgramToken = z.infer<typeof newProgramTokenSchema>
export type ProgramTokenCreate = z.infer<typeof programTokenCreateBody>
