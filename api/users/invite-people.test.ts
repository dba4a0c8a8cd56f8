import { beforeEach, describe, expect, it } from 'vitest'
import { LISTED_PEOPLE_MAX } from '../../domain/limits.ts'
import type { ListedPerson } from '../../domain/wire/people-lists.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
let known: TestUser
let garden: { id: string }

async function prepare(options?: Parameters<typeof createTestApp>[0]) {
  app = await createTestApp(options)
  admin = await app.user({ role: 'admin' })
  known = await app.user({ name: 'Imogen Hale', email: 'imogen@larkspur.example' })
  garden = await app.client({ name: 'Larkspur Gardens' })
}

beforeEach(() => prepare())

const person = (name: string, client?: string): ListedPerson => ({
  name: `${name} Lind`,
  email: `${name.toLowerCase()}@larkspur.example`,
  ...(client !== undefined && { client }),
})

const send = (body: object, key = 'k1', by = admin) =>
  app.as(by).post('/v1/users/list', body, { 'Idempotency-Key': key })

const check = async (people: ListedPerson[]) => (await send({ dryRun: true, people }, 'dry')).json()

async function run(people: ListedPerson[], key?: string) {
  const { plan } = await check(people)
  const answer = await send({ dryRun: false, people, plan }, key)
  await app.settled()
  return answer
}

const outcomes = ({ people }: { people: { state: string; clientName: string | null }[] }) =>
  people.map(({ state, clientName }) => `${state} ${clientName}`)
const accounts = async () =>
  (await app.db.selectFrom('users').select('email').orderBy('id').execute()).map(
    ({ email }) => email,
  )
const members = async () =>
  (
    await app.db
      .selectFrom('client_users')
      .innerJoin('users', 'users.id', 'client_users.user_id')
      .select('users.email')
      .where('client_id', '=', garden.id)
      .orderBy('users.email')
      .execute()
  ).map(({ email }) => email)

describe('a list of people', () => {
  const LIST = [
    person('Marta', 'LARKSPUR gardens'),
    person('Imogen', 'Larkspur Gardens'),
    person('Jo'),
    person('Nan', 'Larkspr Gardens'),
    person('Jo', 'Larkspur Gardens'),
    person('Jo', 'Larkspur Gardens'),
  ]
  const EXPECTED = [
    'new Larkspur Gardens',
    'joins Larkspur Gardens',
    'new null',
    'cannot Larkspr Gardens',
    'joins Larkspur Gardens',
    'same Larkspur Gardens',
  ]

  it('says what would happen, and does nothing', async () => {
    const before = await accounts()
    const answer = await check(LIST)
    expect([answer.done, outcomes(answer)]).toEqual([false, EXPECTED])
    expect(answer.people[1].name).toBe('Imogen Hale')
    expect(answer.people[3].near).toEqual(['Larkspur Gardens'])
    expect([await accounts(), await members(), app.sentMail]).toEqual([before, [], []])
  })

  it('does what it said: accounts, invitations, memberships and the log', async () => {
    const answer = await (await run(LIST)).json()
    expect([answer.done, outcomes(answer)]).toEqual([true, EXPECTED])
    expect(app.sentMail.map(({ to }) => to).sort()).toEqual([
      'jo@larkspur.example',
      'marta@larkspur.example',
    ])
    expect(await members()).toEqual([
      'imogen@larkspur.example',
      'jo@larkspur.example',
      'marta@larkspur.example',
    ])
    const log = await app.db.selectFrom('audit').select('action').orderBy('id').execute()
    expect(log.map(({ action }) => action).sort()).toEqual([
      'client.changed',
      'user.created',
      'user.created',
      'user.invited',
      'user.invited',
    ])
  })

  it('an invited person chooses a password by the link, and no other one is known', async () => {
    await run([person('Marta')])
    const token = /welcome\?token=([\w-]+)/.exec(app.sentMail[0]?.text ?? '')?.[1]
    const password = 'a pebble in the brook'
    const set = await app.as(null).post('/v1/auth/reset-password', { token, password })
    const login = await app
      .as(null)
      .post('/v1/auth/login', { email: 'marta@larkspur.example', password })
    expect([set.status, login.status]).toEqual([204, 200])
  })

  it('is done once for a key', async () => {
    const first = await (await run(LIST)).json()
    const { plan } = first
    const again = await send({ dryRun: false, people: LIST, plan })
    expect([again.headers.get('Idempotency-Replayed'), await again.json()]).toEqual(['true', first])
    await app.settled()
    expect(app.sentMail).toHaveLength(2)
  })

  it('is refused with the new check when accounts or clients are other ones since', async () => {
    const { plan } = await check(LIST)
    await app.user({ email: 'marta@larkspur.example' })
    const before = await accounts()
    const answer = await send({ dryRun: false, people: LIST, plan })
    const { reason, list } = await answer.json()
    expect([answer.status, reason]).toEqual([409, 'stale_plan'])
    expect(outcomes(list ?? {}).at(0)).toBe('joins Larkspur Gardens')
    expect(await accounts()).toEqual(before)
  })

  it('names the clients when several have the name', async () => {
    await app.client({ name: 'larkspur gardens' })
    const { people } = await check([person('Marta', 'Larkspur Gardens')])
    expect(people[0]).toMatchObject({
      state: 'cannot',
      near: ['Larkspur Gardens', 'larkspur gardens'],
    })
  })

  it('leaves as many mails in an hour as single invitations do', async () => {
    await prepare({ config: { rateLimits: true } })
    const many = (from: number) =>
      Array.from({ length: LISTED_PEOPLE_MAX }, (_, at) => person(`P${from + at}`))
    expect((await run(many(0))).status).toBe(200)
    // What is refused takes nothing from the hour.
    expect((await send({ dryRun: false, people: many(50), plan: 'other' })).status).toBe(422)
    expect((await send({ dryRun: false, people: many(50), plan: 'other' }, 'k0')).status).toBe(409)
    expect((await run(many(50), 'k2')).status).toBe(200)
    const before = await accounts()
    expect((await run([person('Marta')], 'k3')).status).toBe(429)
    expect(await accounts()).toEqual(before)
    expect((await run([person('Imogen', 'Larkspur Gardens')], 'k4')).status).toBe(200)
  })

  it('is for admins whose role is one still, with a valid list', async () => {
    const people = [person('Marta')]
    expect((await send({ dryRun: true, people }, 'k', known)).status).toBe(403)
    for (const wrong of [
      { dryRun: true, people: [] },
      { dryRun: true, people: [{ ...people[0], email: 'marta@larkspur' }] },
      { dryRun: true, people: [{ ...people[0], role: 'admin' }] },
      { dryRun: true, people: Array.from({ length: LISTED_PEOPLE_MAX + 1 }, () => people[0]) },
    ])
      expect((await send(wrong)).status).toBe(400)
  })
})
