import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { call, OFFICE, PRODUCT, quantile, startServer } from './rig.mjs'

/**
 * What one hostile session costs the others, with the throttles on: batches of stale changes of a long text, and
 * responses that are requested and not read. `npm run build`, then `node bench/hostile.mjs`; it takes about a minute,
 * stops at its own time limit, and exits with 1 where the others wait longer than five times as long as before, or the
 * server takes more than 400 MB.
 */

const PHASE_MS = Number(process.env.PHASE_SECONDS ?? 12) * 1_000
const TIMES_SLOWER_MAX = 5
/** Below this a pause of the machine itself decides. */
const NOISE_MS = 10
const MEMORY_MAX_MB = 400
const READERS = 4
const READ_EVERY_MS = 250

const text = (length, letter = 'ä') => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: letter.repeat(length) }] }],
})

const killer = setTimeout(() => process.exit(2), PHASE_MS * 4 + 120_000)
const { url, server, stop } = await startServer(PRODUCT, { RATE_LIMITS: 'on' })
const results = []
try {
  const scene = await prepare()
  await measure('quiet', async () => {})
  await measure('stale batches', (until) => staleBatches(scene, until))
  await measure('unread answers', (until) => unreadAnswers(scene, until))

  async function measure(name, attack) {
    const until = performance.now() + PHASE_MS
    const seen = { peak: 0 }
    const looking = setInterval(() => {
      seen.peak = Math.max(seen.peak, memoryMb())
    }, 100)
    const [times, note] = await Promise.all([readAll(scene, until), attack(until)])
    clearInterval(looking)
    const p99 = quantile(times, 0.99)
    results.push({
      name,
      p50: quantile(times, 0.5),
      p99,
      peakMb: seen.peak,
      reads: times.length,
      note,
    })
    console.log(JSON.stringify(results.at(-1)))
  }
} finally {
  await stop()
  clearTimeout(killer)
}

const [quiet, ...attacked] = results
const slowest = Math.max(NOISE_MS, quiet.p99) * TIMES_SLOWER_MAX
const over = attacked.filter(({ p99, peakMb }) => p99 > slowest || peakMb > MEMORY_MAX_MB)
for (const { name } of over) console.error(`Over the budget: ${name}`)
process.exitCode = over.length === 0 ? 0 : 1

async function prepare() {
  const office = await login(OFFICE)
  const person = async (name) => {
    const account = {
      name,
      email: `${name}@contun.example`,
      password: 'a river of ink',
      role: 'user',
    }
    const { id } = await call(url, 'POST', '/users', account, office)
    return { id, token: await login(account) }
  }
  const hostile = await person('hostile')
  const readers = []
  for (let made = 0; made < READERS; made += 1) readers.push(await person(`reader-${made}`))
  const client = async (users) => {
    const { id } = await call(url, 'POST', '/clients', { name: 'Fathom' }, office)
    await call(url, 'PATCH', `/clients/${id}`, { users }, office)
    return id
  }
  const article = async (clientId, articleText) =>
    (
      await call(
        url,
        'POST',
        '/articles',
        { name: 'Long', clientId, wordMinimum: 0, articleText },
        office,
      )
    ).id
  const theirs = await client([hostile.id])
  const long = []
  for (let made = 0; made < 10; made += 1) long.push(await article(theirs, text(750_000)))
  const others = await client(readers.map(({ id }) => id))
  return { hostile, readers, long, small: await article(others, text(10_000, 'x')) }
}

async function login({ email, password }) {
  const { tokens } = await call(url, 'POST', '/auth/login', { email, password })
  return tokens.access.token
}

async function readAll({ readers, small }, until) {
  const times = []
  await Promise.all(
    readers.map(async ({ token }, at) => {
      await pause((READ_EVERY_MS * at) / READERS)
      while (performance.now() < until) {
        const started = performance.now()
        await call(url, 'GET', `/articles/${small}`, undefined, token)
        times.push(performance.now() - started)
        await pause(READ_EVERY_MS)
      }
    }),
  )
  return times
}

/** Sends one batch after another and ignores the responses. */
async function staleBatches({ hostile, long }, until) {
  const [id] = long
  const headers = { 'If-Match': '"t7"' }
  const change = { id, headers, body: { articleText: text(12_000, 'x') } }
  const body = JSON.stringify({ changes: Array(50).fill(change) })
  const counts = {}
  let answered = 0
  while (performance.now() < until) {
    const answer = await fetch(`${url}/v1/articles`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${hostile.token}` },
      body,
    })
    answered += (await answer.arrayBuffer()).byteLength
    counts[answer.status] = (counts[answer.status] ?? 0) + 1
    if (answer.status === 429) await pause(20)
  }
  return { sentBytes: body.length, answeredMb: Math.round(answered / 1e6), counts }
}

/** 29 at a time, each over a separate connection that is never read, and requested again when it is cut. */
async function unreadAnswers({ hostile }, until) {
  const { port } = new URL(url)
  const request = `GET /v1/articles/client/myArticles?fields=text HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hostile.token}\r\n\r\n`
  const open = new Set()
  while (performance.now() < until) {
    while (open.size < 29) {
      const socket = connect(Number(port), '127.0.0.1').pause()
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
      socket.write(request)
    }
    await pause(1_000)
    // Refused responses would wait unread too: new requests replace them.
    for (const socket of [...open].slice(0, 10)) if (open.size > 20) socket.destroy()
  }
  for (const socket of open) socket.destroy()
  return {}
}

function memoryMb() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}
