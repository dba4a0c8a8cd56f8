import * as z from 'zod'
import { PASSKEY_NAME_MAX } from '../limits.ts'

/** Two-step login: after the password, a passkey, a code of an authenticator app, or a recovery code. */

export const secondStepMethodSchema = z.enum(['app', 'passkey', 'recovery-code'])

/** JSON of the WebAuthn standard, which the authenticator library checks. */
const webAuthnJson = z.record(z.string(), z.unknown())

/** What the second step can be. The ticket is good for five minutes and five tries. */
export const secondStepAskedSchema = z.strictObject({
  ticket: z.string(),
  expires: z.iso.datetime(),
  app: z.boolean().meta({ description: 'Whether a code of an authenticator app is accepted.' }),
  passkey: webAuthnJson
    .nullable()
    .meta({ description: 'Options for `navigator.credentials.get`; null without a passkey.' }),
})

const ticketSchema = z.string().min(1).max(64)
/** A code of the app or a recovery code, as typed: spaces and hyphens are ignored. */
const codeSchema = z.string().min(1).max(64)

/** One of the two proofs. */
const proofFields = {
  ticket: ticketSchema,
  code: codeSchema.optional(),
  passkey: webAuthnJson.optional(),
}
const isOneProof = ({ code, passkey }: { code?: unknown; passkey?: unknown }) =>
  (code === undefined) !== (passkey === undefined)
const ONE_PROOF = { message: 'Either "code" or "passkey" is required' }

export const secondStepBody = z.strictObject(proofFields).refine(isOneProof, ONE_PROOF)

/** `what` is 'app' or the id of a passkey. */
export const secondStepRemovalBody = z
  .strictObject({ ...proofFields, what: z.string().min(1).max(1_400) })
  .refine(isOneProof, ONE_PROOF)

export const confirmPasswordBody = z.strictObject({ password: z.string().min(1).max(1_024) })
export const appCodeBody = z.strictObject({ code: codeSchema })

/** Shown once. The address is what the QR code of the app says. */
export const appSecretSchema = z.strictObject({ secret: z.string(), address: z.string() })
export const passkeyCreationSchema = z.strictObject({
  ticket: z.string(),
  options: webAuthnJson.meta({ description: 'Options for `navigator.credentials.create`.' }),
})
export const passkeyBody = z.strictObject({
  ticket: ticketSchema,
  name: z.string().trim().min(1).max(PASSKEY_NAME_MAX),
  response: webAuthnJson,
})
/** Null where the account has recovery codes already. They are shown once. */
export const recoveryCodesSchema = z.strictObject({ recoveryCodes: z.array(z.string()).nullable() })

export const secondStepSchema = z.strictObject({
  appAddedAt: z.iso.datetime().nullable(),
  passkeys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      addedAt: z.iso.datetime(),
      usedAt: z.iso.datetime().nullable(),
    }),
  ),
  recoveryCodesLeft: z.number().int(),
})

export type SecondStepMethod = z.infer<typeof secondStepMethodSchema>
export type SecondStepAsked = z.infer<typeof secondStepAskedSchema>
export type SecondStepProof = z.infer<typeof secondStepBody>
export type SecondStep = z.infer<typeof secondStepSchema>
export type AppSecret = z.infer<typeof appSecretSchema>
export type PasskeyCreation = z.infer<typeof passkeyCreationSchema>
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>
