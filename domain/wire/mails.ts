import * as z from 'zod'
import { FOLLOWED_CLIENTS_MAX } from '../limits.ts'
import { idSchema } from './fields.ts'
import type { Role } from './users.ts'

/** Which mails about articles a user gets. Mails about the account are always sent. */

export const MAIL_CHOICES = ['at-once', 'daily', 'none'] as const
export const mailChoiceSchema = z.enum(MAIL_CHOICES)
export type MailChoice = z.infer<typeof mailChoiceSchema>

/** Of a user who never chose: an agency of many clients would otherwise get a mail with every hand-in. */
export const firstMailChoice = (role: Role): MailChoice => (role === 'admin' ? 'daily' : 'at-once')

const followsSchema = z
  .array(idSchema)
  .max(FOLLOWED_CLIENTS_MAX, `"follows" must have at most ${FOLLOWED_CLIENTS_MAX} entries`)

/** PUT /users/{userId}/mails. `follows`: ids of the clients whose hand-ins are mailed to this admin. */
export const mailSettingsBody = z.strictObject({
  choice: mailChoiceSchema,
  follows: followsSchema.default([]),
})

/** `isSent`: whether the server has a mail server; without one it writes mails to files. */
export const mailSettingsSchema = z.strictObject({
  choice: mailChoiceSchema,
  follows: followsSchema,
  isSent: z.boolean(),
})

/** The key of a link in a mail, by which its reader changes the choice without logging in. */
export const mailKeyQuery = z.object({
  key: z.string().max(200).optional().meta({ description: 'The key of a link in a mail.' }),
})

/** PUT /mails */
export const mailChoiceBody = z.strictObject({ choice: mailChoiceSchema })
/** GET /mails, PUT /mails */
export const mailReaderSchema = z.strictObject({ email: z.string(), choice: mailChoiceSchema })

/** GET /mail-state: `failingSince` is null while mails leave. `unreachable`: users whose address takes no mails. */
export const mailStateSchema = z.strictObject({
  failingSince: z.iso.datetime().nullable(),
  waiting: z.number().int(),
  unreachable: z.array(idSchema),
})

export type MailSettings = z.infer<typeof mailSettingsSchema>
export type MailReader = z.infer<typeof mailReaderSchema>
export type MailState = z.infer<typeof mailStateSchema>
