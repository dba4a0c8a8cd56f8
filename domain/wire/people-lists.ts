import * as z from 'zod'
import { LISTED_PEOPLE_MAX } from '../limits.ts'
import { checkedListFields, emailSchema, nameSchema } from './fields.ts'

/** POST /users/list: several people invited from one list, after a dry run. */

/** `client` is a name, compared without case. */
const listedPersonBody = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  client: nameSchema.optional(),
})

export const peopleListBody = z.strictObject({
  ...checkedListFields,
  people: z
    .array(listedPersonBody)
    .min(1, '"people" must have at least one entry')
    .max(LISTED_PEOPLE_MAX, `"people" must have at most ${LISTED_PEOPLE_MAX} entries`),
})

/**
 * What happens to one person of the list, in its order. `new`: gets an account of the role user and an invitation. `joins`:
 * has an account and is added to the client. `same`: nothing is to do. `cannot`: no client, or more than one, has the name
 * that the list gives, and `near` has the names of up to three that are near; the person is left out. `name` is that of the
 * account where there is one, `clientName` null where the list names no client.
 */
export const invitedPersonSchema = z.strictObject({
  state: z.enum(['new', 'joins', 'same', 'cannot']),
  name: z.string(),
  email: z.string(),
  clientName: z.string().nullable(),
  near: z.array(z.string()),
})

export const peopleListAnswerSchema = z.strictObject({
  plan: z.string(),
  done: z.boolean(),
  people: z.array(invitedPersonSchema),
})

export type ListedPerson = z.input<typeof listedPersonBody>
export type PeopleListBody = z.input<typeof peopleListBody>
export type InvitedPerson = z.infer<typeof invitedPersonSchema>
export type PeopleListAnswer = z.infer<typeof peopleListAnswerSchema>
