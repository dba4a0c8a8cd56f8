import * as z from 'zod'

/** Invitations by mail, with a link to set a password. */

/**
 * The newest invitation of a user who has not logged in yet. `queued`: the mail was not sent yet. `refused`: the mail
 * server does not deliver to the address. `replaced`: the user requested a reset link, which is valid instead.
 */
export const invitationSchema = z.strictObject({
  userId: z.string(),
  sentAt: z.iso.datetime(),
  until: z.iso.datetime(),
  state: z.enum(['queued', 'sent', 'refused', 'replaced']),
})

/** GET /users/invitations. Users without an open invitation are left out. */
export const invitationsSchema = z.strictObject({ results: z.array(invitationSchema) })

/** POST /auth/invitation. */
export const welcomeBody = z.strictObject({ token: z.string().min(1).max(4096) })

/** What the holder of the link may know. `sender` is null when that admin has no account any more. */
export const welcomeSchema = z.strictObject({
  name: z.string(),
  email: z.string(),
  sender: z.string().nullable(),
  until: z.iso.datetime(),
})

export type Invitation = z.infer<typeof invitationSchema>
export type Welcome = z.infer<typeof welcomeSchema>
