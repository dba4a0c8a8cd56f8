import { LISTED_PEOPLE_MAX } from '../../../../domain/limits.ts'
import type { CsvFault } from '../../../../domain/lists/csv.ts'
import type { ReadPerson } from '../../../../domain/lists/people-list.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { InvitedPerson } from '../../../../domain/wire/people-lists.ts'
import { emailRule, nameRule } from '../../../field-rules.ts'
import { counted, figure } from '../../../ui/words/figure.ts'

const NO_PERSON = 'Write one person in each line.'

/** Why a list cannot be checked; null where it can. */
export function listFault(people: readonly ReadPerson[]): string | null {
  if (people.length === 0) return NO_PERSON
  if (people.length <= LISTED_PEOPLE_MAX) return null
  const most = figure(LISTED_PEOPLE_MAX)
  return `At most ${most} people can be invited at once. This list has ${figure(people.length)}.`
}

export const csvFault = (fault: CsvFault): string =>
  fault.kind === 'quote'
    ? `Line ${figure(fault.row)} has a quotation mark that is not closed.`
    : fault.kind === 'empty'
      ? NO_PERSON
      : 'This is no list of people.'

/** What is wrong in a line; null where it can be sent. */
export const lineFault = ({ name, email, client }: ReadPerson): string | null =>
  email === ''
    ? 'No e-mail address in this line.'
    : (emailRule(email) ??
      (name === '' ? 'No name in this line.' : nameRule('Name')(name)) ??
      (client === '' ? null : nameRule('Client')(client)))

/** What happens to one person. */
export function happening({ state, near, clientName }: InvitedPerson): string {
  switch (state) {
    case 'new':
      return 'Gets an invitation'
    case 'joins':
      return 'Has an account, is added to this client'
    case 'same':
      return clientName === null ? 'Has an account already' : 'Is with this client already'
    case 'cannot':
      return near.length === 0
        ? 'No client has this name'
        : `This is not the name of one client. Near: ${enumerated(near)}`
  }
}

export type Counts = { invited: number; added: number; leftOut: number }

/** What the list would do, in a sentence. */
export function summary({ invited, added, leftOut }: Counts): string {
  const parts = [
    ...(invited > 0 ? [`${peopleOf(invited)} ${gets(invited)} an invitation`] : []),
    ...(added > 0 ? [`${peopleOf(added)} ${areOf(added)} added to a client`] : []),
    ...(leftOut > 0 ? [`${linesOf(leftOut)} cannot be done`] : []),
  ]
  return parts.length === 0 ? 'There is nothing to do.' : `${enumerated(parts)}.`
}

/** The button that carries the list out; null where there is nothing to do. */
export function runLabel({ invited, added }: Counts): string | null {
  if (invited > 0) return `Invite ${peopleOf(invited)}`
  return added > 0 ? `Add ${peopleOf(added)}` : null
}

export const doneTitle = ({ invited, added }: Counts): string =>
  invited > 0 ? `${peopleOf(invited)} invited` : `${peopleOf(added)} added`

const peopleOf = (count: number): string => counted(count, 'person', 'people')
export const linesOf = (count: number): string => counted(count, 'line')
const gets = (count: number) => (count === 1 ? 'gets' : 'get')
export const areOf = (count: number) => (count === 1 ? 'is' : 'are')
