import { expect, it } from 'vitest'
import { createDates } from '../../../domain/calendar/dates.ts'
import type { Client } from '../../../domain/wire/clients.ts'
import { detailsOfSameNames } from './same-names.ts'

const [ADA, BEN] = ['Ada', 'Ben'].map((name) => ({ id: name, name, email: `${name}@ash.example` }))

const client = (end: string, name: string, rest: Partial<Client> = {}): Client => ({
  id: `0195a000-0000-7000-8000-${end}`,
  name,
  moonOwlClient: false,
  users: [],
  ...rest,
})

const detailsOf = (...clients: Client[]) => [
  ...detailsOfSameNames(clients, createDates('en-GB')).values(),
]

it('has no details for clients whose names differ', { tags: ['@AA-04'] }, () => {
  expect(detailsOf(client('1', 'Mill'), client('2', 'Inn'), client('2', 'Inn'))).toEqual([])
})

it.each([
  ['their users', { users: ADA ? [ADA] : [] }, { users: BEN ? [BEN] : [] }, ['Ada', 'Ben']],
  ['having users', { users: ADA ? [ADA] : [] }, {}, ['Ada', 'No users']],
  [
    'their kind',
    { moonOwlClient: true },
    {},
    ['No users · Moon & Owl client', 'No users · External client'],
  ],
])('distinguishes clients of one name by %s', { tags: ['@AA-04'] }, (_, one, other, details) => {
  expect(detailsOf(client('1', 'Le Café', one), client('2', 'le cafe\u0301', other))).toEqual(
    details,
  )
})

it('distinguishes clients of one name by their creation, and by their ids', {
  tags: ['@AA-04'],
}, () => {
  const [first, second] = [client('1', 'Mill'), client('2', 'Mill')]
  const later = { ...second, id: '0195a5ff-0000-7000-8000-000000000002' }
  const [one = '', two = ''] = detailsOf(first, later)
  expect(one).toMatch(/^No users · External client · Created 1\d March 2025, \d\d:\d\d$/)
  expect(two).not.toBe(one)
  const same = detailsOf(
    { ...first, id: '0195a000-0000-7000-8000-00000000000a' },
    { ...first, id: '0195a000-0000-7000-8000-00000000000b' },
  )
  expect(same.map((text) => text.slice(-8))).toEqual(['No. 000a', 'No. 000b'])
})
