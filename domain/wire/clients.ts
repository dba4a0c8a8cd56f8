import * as z from 'zod'
import { CLIENT_USERS_MAX } from '../limits.ts'
import { idSchema, nameSchema, someOf } from './fields.ts'

/** Clients. */

/** The form of a client for admins only; inside an article the users are ids (Q61). */
export const clientUserSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
})

export const clientSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  moonOwlClient: z.boolean(),
  users: z.array(clientUserSchema),
})

export const clientCreateBody = z.strictObject({ name: nameSchema })

/** `users` replaces the whole list; a repeated id is stored once. */
export const clientPatchBody = someOf({
  name: nameSchema,
  moonOwlClient: z.boolean(),
  users: z
    .array(idSchema)
    .max(CLIENT_USERS_MAX, `"users" must have at most ${CLIENT_USERS_MAX} entries`),
})

export type Client = z.infer<typeof clientSchema>
export type ClientUser = z.infer<typeof clientUserSchema>
export type ClientCreate = z.infer<typeof clientCreateBody>
export type ClientPatch = z.infer<typeof clientPatchBody>
