import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { OFFICE, quantile, ratio, startServer } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * A writer saves every 20 ms while 16 or 50 users sign in at once, with passwords hashed in worker threads, and 16 once
 * on the main thread; and without sign-ins, in turn. Run `npm run build` first, then `node bench/sign-ins.mjs`; it
 * takes four minutes, several times that on a busy machine, and writes its section of docs/benchmarks.md. Times are the
 * best of ROUNDS, because other load only ever adds to them; ratios are the median of the rounds.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 11)
const WRITER = { email: 'imogen@contun.example', password: 'a river of ink' }
/** What is measured: where passwords are hashed, how many sign in, how often. */
const WAYS = [
  ['no sign-ins', 'workers', 0, ROUNDS],
  ['16 people, hashed in worker threads', 'workers', 16, ROUNDS],
  ['50 people, hashed in worker threads', 'workers', 50, ROUNDS],
  ['16 people, hashed on the main thread', 'main-thread', 16, 1],
]

const figures = WAYS.map(() => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, [name, hashIn, signIns, rounds]] of WAYS.entries()) {
    if (round >= rounds) continue
    const figure = await measure(hashIn, signIns)
    figures[index].push(figure)
    console.log(round, name, quantile(figure.saves, 0.99).toFixed(1))
  }
}
writeSection('Sign-ins while a writer saves', [
  'People sign in at the same moment while a writer saves every 20 ms (bcrypt of cost 12, the best of',
  `${ROUNDS} rounds in turn, other work on the machine: load ${loadavg()[0].toFixed(1)}; \`node bench/sign-ins.mjs\`). Those for whom the`,
  'queue has no room are asked to come again in two seconds.',
  '',
  '| Sign-ins | Saves | Save, median | Save, 99th percentile | Against none | Main thread late, 99th percentile | 503 with Retry-After | Cut off |',
  '|---|---|---|---|---|---|---|---|',
  ...WAYS.map(([name], index) => line(name, figures[index])),
])

/** Each time is the best of the rounds. */
function line(name, rounds) {
  const best = (figure) => Math.min(...rounds.map(figure))
  const late = ({ saves }) => quantile(saves, 0.99)
  const saves = Math.max(...rounds.map((round) => round.saves.length))
  const toQuiet = ratio(rounds.map(late), figures[0].map(late))
  return (
    `| ${name} | ${saves} | ${best((round) => quantile(round.saves, 0.5)).toFixed(1)} ms ` +
    `| ${best(late).toFixed(1)} ms | ${toQuiet.toFixed(1)}x ` +
    `| ${best((round) => round.delay.p99).toFixed(1)} ms | ${rounds[0].refused} | ${best((round) => round.lost)} |`
  )
}

async function measure(hashIn, signIns) {
  const { url, server, stop } = await startServer(
    new URL('./sign-ins-server.mjs', import.meta.url),
    { HASH_IN: hashIn },
  )
  try {
    return await saveWhileOthersSignIn(server, url, signIns)
  } finally {
    await stop()
  }
}

async function saveWhileOthersSignIn(server, url, signIns) {
  const signIn = (login = OFFICE) => call(url, 'POST', '/auth/login', login)
  const office = (await signIn()).body.tokens.access.token
  // Another account: one account keeps only 20 sessions.
  await call(url, 'POST', '/users', { ...WRITER, name: 'Imogen Hale', role: 'admin' }, office)
  const token = (await signIn(WRITER)).body.tokens.access.token
  const settings = { name: 'Oats', clientId: null, wordMinimum: 0, articleText: {} }
  const { id } = (await call(url, 'POST', '/articles', settings, token)).body
  const saves = []
  const save = async (at) => {
    const content = [{ type: 'paragraph', content: [{ type: 'text', text: `Line ${at}` }] }]
    const articleText = { type: 'doc', content }
    const { ms, status } = await call(url, 'PATCH', `/articles/${id}`, { articleText }, token)
    if (status !== 200 && status !== 0) throw new Error(`A save was answered ${status}`)
    saves.push(ms)
    await pause(20)
  }
  for (let at = 0; at < 20; at += 1) await save(at)
  saves.length = 0
  await delayOf(server)
  let isOver = false
  const answers = Promise.all(Array.from({ length: signIns }, () => signIn())).finally(() => {
    isOver = true
  })
  // Without sign-ins, as many saves as a percentile needs.
  for (let at = 0; signIns > 0 ? !isOver : at < 150; at += 1) await save(at)
  const statuses = (await answers).map(({ status }) => status)
  const count = (wanted) => statuses.filter((status) => status === wanted).length
  return { saves, refused: count(503), lost: count(0), delay: await delayOf(server) }
}

async function delayOf(server) {
  server.send('delay')
  const [delay] = await once(server, 'message')
  return delay
}

async function call(url, method, path, body, token) {
  const startedAt = performance.now()
  try {
    const { status, json } = await answered(url, method, path, body, token)
    return { ms: performance.now() - startedAt, status, body: json }
  } catch {
    // A server that reads nothing for ten seconds ends its connections.
    return { ms: performance.now() - startedAt, status: 0, body: null }
  }
}

async function answered(url, method, path, body, token) {
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
}
