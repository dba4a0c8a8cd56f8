import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Others, presenceSchema } from '../../domain/wire/presence.ts'
import type { Session } from '../../domain/wire/users.ts'
import { ADMIN, type Node, type Nodes, nodesOverPostgres } from '../testing/black-box/nodes.ts'

/** Who is here, over two real nodes of which one is killed. It waits for real time. */

const PEOPLE = ['Eve Wren', 'Ida Hale', 'Otto Lind']
const TIME_LIMIT_MS = 180_000
/** As a page does while others are there. */
const REPORT_MS = 20_000

let nodes: Nodes
let first: Node
let second: Node
const enders: (() => void)[] = []

beforeEach(async () => {
  nodes = await nodesOverPostgres()
  const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  first = await nodes.start(env)
  second = await nodes.start(env)
})
afterEach(async () => {
  for (const end of enders.splice(0)) end()
  await nodes.end()
})

async function signIn(node: Node, login: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/auth/login', login)
  expect(answer.status).toBe(200)
  return `Bearer ${((await answer.json()) as Session).tokens.access.token}`
}

/** Three users with one article of theirs. */
async function agency() {
  const authorization = await signIn(first, ADMIN)
  const post = async (path: string, body: object) => {
    const answer = await first.post(path, body, authorization)
    expect(answer.status).toBe(201)
    return (await answer.json()) as { id: string }
  }
  const logins = PEOPLE.map((name) => ({
    email: `${name.slice(0, 3).toLowerCase()}@contun.example`,
    password: 'a river of green ink',
  }))
  const users = []
  for (const [at, login] of logins.entries())
    users.push(await post('/users', { ...login, name: PEOPLE[at], role: 'user' }))
  const { id: clientId } = await post('/clients', { name: 'Fathom Coffee' })
  const joined = await fetch(`${first.url}/clients/${clientId}`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ users: users.map(({ id }) => id) }),
  })
  expect(joined.status).toBe(200)
  const { id } = await post('/articles', {
    name: 'Coffee',
    clientId,
    wordMinimum: 0,
    articleText: {},
  })
  return { id, logins }
}

/** An open page: it listens and reports at this node. */
async function page(node: Node, authorization: string, id: string) {
  const stream = await fetch(`${node.url}/events`, { headers: { authorization } })
  let last: Others | null = null
  void (async () => {
    let rest = ''
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + part).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events)
        if (event.startsWith('event: presence\n'))
          last = presenceSchema.parse(JSON.parse(event.split('data: ')[1] ?? ''))
    }
  })().catch(() => {})
  const report = (writing: boolean) =>
    fetch(`${node.url}/presence`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ articles: [{ id, writing, blocks: [] }] }),
    }).catch(() => null)
  const reporting = setInterval(() => void report(false), REPORT_MS)
  const close = () => clearInterval(reporting)
  enders.push(close)
  await report(false)
  return {
    close,
    report,
    sees: () =>
      last?.people.map(({ name, writing }) => name + (writing ? '+' : '')).join(', ') ?? null,
  }
}

it('a node that is killed takes its people with it within 45 seconds, and the others stay', {
  tags: ['@WH-04', '@WH-05'],
  timeout: TIME_LIMIT_MS,
}, async () => {
  const { id, logins } = await agency()
  const [eve, ida, otto] = await Promise.all(logins.map((login) => signIn(first, login)))
  if (!eve || !ida || !otto) throw new Error('Not signed in')
  const hers = await page(first, eve, id)
  const [other, third] = [await page(second, ida, id), await page(second, otto, id)]
  await expect.poll(hers.sees).toBe('Ida Hale, Otto Lind')
  await expect.poll(other.sees).toBe('Eve Wren, Otto Lind')

  // A report that arrives at one node is sent by the streams of the other.
  await hers.report(true)
  await expect.poll(other.sees).toBe('Eve Wren+, Otto Lind')
  await expect.poll(third.sees).toBe('Eve Wren+, Ida Hale')

  const killed = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  await killed
  const killedAt = performance.now()
  await expect.poll(other.sees, { timeout: 60_000, interval: 100 }).toBe('Otto Lind')
  const gone = performance.now() - killedAt
  process.stdout.write(`gone ${(gone / 1_000).toFixed(1)} s after its node was killed\n`)
  expect(gone).toBeLessThan(45_000)
  await expect.poll(third.sees).toBe('Ida Hale')

  // A node that starts later knows of those who are here with their next report.
  const later = await nodes.start({ RATE_LIMITS: 'off', LOG_LEVEL: 'silent' })
  const again = await page(later, eve, id)
  await expect.poll(other.sees).toBe('Eve Wren, Otto Lind')
  await other.report(false)
  await third.report(false)
  await expect.poll(again.sees).toBe('Ida Hale, Otto Lind')
})
