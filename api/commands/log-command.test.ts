import { beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { runCommand } from './admin-command.ts'

let app: TestApp
let admin: TestUser
let writer: TestUser
let id: string
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale', email: 'imogen@contun.example' })
  const client = await app.client({ name: 'Mill', users: [writer] })
  const article = { name: 'Oats', clientId: client.id, wordMinimum: 1 }
  id = (await (await app.as(admin).post('/v1/articles', article)).json()).id
  app.clock.advance(60_000)
  await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
  await app.as(admin).post('/v1/clients', { name: 'Bakery' })
})

const COMMAND = {
  openOther: () => Promise.reject(new Error('There is one database')),
  ensureOwnPepper: async () => {},
}
const run = (...args: string[]) => runCommand({ ...app.deps, ...COMMAND }, ['log', ...args])
const [CREATED, COMPLETED, CLIENT] = [
  '2026-03-02 09:00:00 UTC  Ada Ferris created ‘Oats’ for Mill',
  '2026-03-02 09:01:00 UTC  Imogen Hale completed ‘Oats’, hand-in 1',
  '2026-03-02 09:01:00 UTC  Ada Ferris added the client Bakery',
]

it('prints the last entries, the newest last', { tags: ['@VL-07'] }, async () => {
  expect(await run()).toBe([CREATED, COMPLETED, CLIENT].join('\n'))
  expect(await run('2')).toBe([COMPLETED, CLIENT].join('\n'))
})

it('prints those of an article, a person or a kind', async () => {
  expect(await run('--article', id)).toBe([CREATED, COMPLETED].join('\n'))
  expect(await run('--person', 'Imogen@contun.example')).toBe(COMPLETED)
  expect(await run('--kind', 'clients')).toBe(CLIENT)
  expect(await run('1', '--article', id, '--kind', 'created')).toBe(CREATED)
  expect(await run('--kind', 'server')).toBe('There is no such entry.')
})

it.each([
  ['0'],
  ['1001'],
  ['x'],
  ['--kind', 'passwords'],
  ['--article', 'x'],
  ['--article'],
  ['5', '5'],
])('prints its usage for: %s', async (...words) => {
  await expect(run(...words)).rejects.toThrow('npm run admin -- log [COUNT]')
})

it('refuses an address that has no account', async () => {
  await expect(run('--person', 'x@y.example')).rejects.toThrow('no account with x@y.example')
})
