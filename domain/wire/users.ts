import * as z from 'zod'
import { passwordText } from '../access/user.ts'
import { PASSWORD_MAX } from '../limits.ts'
import { emailSchema, nameSchema, newPasswordSchema, someOf } from './fields.ts'

/** Users, sessions and the account calls. */

export const roleSchema = z.enum(['admin', 'user'])

/** `name` and `fullName` are always equal: the session has both, the API user only needs one. */
export const userSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  fullName: z.string(),
  email: z.string(),
  role: roleSchema,
  isEmailVerified: z.boolean(),
})

export const tokenSchema = z.strictObject({ token: z.string(), expires: z.iso.datetime() })

export const tokensSchema = z.strictObject({ access: tokenSchema, refresh: tokenSchema })

export const sessionSchema = z.strictObject({
  user: userSchema,
  tokens: tokensSchema,
  secondStepDue: z.iso.datetime().optional().meta({
    description:
      'Only of a login without the second step that the account must have. After that time the role of an admin is user.',
  }),
})

export const loginBody = z.strictObject({
  email: emailSchema,
  // Not normalised, because older hashes are of the password as typed; the length limit allows for every Unicode form.
  password: z
    .string()
    .min(1, '"password" is required')
    .refine((typed) => Math.min(typed.length, passwordText(typed).length) <= PASSWORD_MAX)
    .meta({ maxLength: PASSWORD_MAX }),
})

export const registerBody = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
})

export const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(4096) })

/** One of the two. `logoutToken` is `logoutTokenOf` the refresh token. */
export const logoutBody = z
  .strictObject({
    refreshToken: refreshBody.shape.refreshToken.optional(),
    logoutToken: refreshBody.shape.refreshToken.optional(),
  })
  .refine((body) => Object.keys(body).length === 1, {
    message: 'Either "refreshToken" or "logoutToken" is required',
  })
  .meta({ minProperties: 1, maxProperties: 1 })

export const forgotPasswordBody = z.strictObject({ email: emailSchema })

export const resetPasswordBody = z.strictObject({
  token: z.string().min(1).max(4096).optional(),
  password: newPasswordSchema,
})

/** The account itself may send its password only; the rest is for admins (Q28). */
export const userPatchBody = someOf({
  name: nameSchema,
  email: emailSchema,
  role: roleSchema,
  password: newPasswordSchema,
})

/**
 * POST /users. Omitting a field never makes an admin. DELETE /users/{id}/sessions, without a body, signs the account
 * out everywhere (Q58).
 */
export const userCreateBody = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  role: roleSchema.default('user'),
})

export type Role = z.infer<typeof roleSchema>
export type User = z.infer<typeof userSchema>
export type Token = z.infer<typeof tokenSchema>
export type Tokens = z.infer<typeof tokensSchema>
export type Session = z.infer<typeof sessionSchema>
export type UserPatch = z.infer<typeof userPatchBody>
export type UserCreate = z.input<typeof userCreateBody>
