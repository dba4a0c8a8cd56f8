import { once } from 'node:events'
import { call, median, quantile, startServer, tokenOf } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The agency's article table over 1,000,000 articles of 2,000 clients, requested over HTTP from a second process, and
 * some of it by plain LIKE and OFFSET in the server itself. Run `npm run build` first, then `node bench/lists.mjs`; it
 * takes about ten minutes and writes its section of docs/benchmarks.md. Every row is compared with the first page, or
 * the plain query, of the same round.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const REQUESTS = 10
const ask = (url, bearer, path) => call(url, 'GET', path, undefined, bearer)
/** A search whose total is not cached yet: ten articles have each number. */
let searched = 10_000
const freshSearch = () => {
  searched += 1
  return `/articles?name=nr%20${searched}%20`
}

const { url, server, stop } = await startServer(new URL('./lists-server.mjs', import.meta.url))
try {
  const bearer = await tokenOf(url)
  const clients = await ask(url, bearer, '/clients?limit=999')
  const some = clients.results
    .slice(0, 999)
    .map(({ id }) => `clientId=${id}`)
    .join('&')
  const newest = '/articles?sortBy=updatedAt:desc'
  const rows = await measure(url, bearer, [
    ['first page, by id', () => '/articles'],
    ['page 50,000, the farthest from both ends', () => '/articles?page=50000'],
    ['last page but one (99,999)', () => '/articles?page=99999'],
    ['last page (100,000)', () => '/articles?page=100000'],
    ['first page by name', () => '/articles?sortBy=name:asc'],
    ['first page by last change, newest first', () => newest],
    [
      'last page by last change',
      () => `${newest}&page=100000`,
      { way: 'offset', values: { offset: 999_990 } },
    ],
    [
      'page 49,801 by last change, in the middle',
      () => `${newest}&page=49801`,
      { way: 'offset', values: { offset: 498_000 } },
    ],
    ['first page by client', () => '/articles?sortBy=client:asc'],
    ['search that 10 articles match', freshSearch, { way: 'like', values: { like: '%nr 9999 %' } }],
    [
      'search that 1,110 articles match, again',
      () => '/articles?name=nr%20999',
      { way: 'like', values: { like: '%nr 999%' } },
    ],
    [
      'search that no article matches',
      () => '/articles?name=zeppelin',
      { way: 'like', values: { like: '%zeppelin%' } },
    ],
    [
      'search that all articles match, again',
      () => '/articles?name=garden',
      { way: 'like', values: { like: '%garden%' } },
    ],
    [
      'search for two letters, again',
      () => '/articles?name=fe',
      { way: 'like', values: { like: '%fe%' } },
    ],
    ['filter by one client', () => `/articles?clientId=${clients.results[0].id}`],
    ['filter by 999 clients', () => `/articles?${some}`],
    ['999 clients for the filter', () => '/clients?limit=999'],
  ])
  writeSection('The agency’s article table', [
    '1,000,000 articles of 2,000 clients on SQLite, whole requests over HTTP with sign-in checked, one after another',
    `(${ROUNDS} rounds of ${REQUESTS} requests a row, rows interleaved; \`node bench/lists.mjs\`). Next to them what a plain`,
    'OFFSET, or a LIKE with its total, takes on the same file, and how many times as long that is as our own way to the',
    'same page, both without HTTP and inside one process.',
    '',
    '| Request | Median | 95th percentile | Against the first page | Plain way | Against our way |',
    '|---|---|---|---|---|---|',
    ...rows,
  ])
} finally {
  await stop()
}

async function measure(url, bearer, cases) {
  const figures = cases.map(() => ({ times: [], toFirst: [], plain: [], toOurs: [] }))
  for (const [, path] of cases) await ask(url, bearer, path())
  for (let round = 0; round < ROUNDS; round += 1) {
    let first = 0
    for (const [index, [, path, plain]] of cases.entries()) {
      const samples = []
      for (let request = 0; request < REQUESTS; request += 1) {
        const startedAt = performance.now()
        await ask(url, bearer, path())
        samples.push(performance.now() - startedAt)
      }
      const middle = median(samples)
      if (first === 0) first = middle
      const figure = figures[index]
      figure.times.push(...samples)
      figure.toFirst.push(middle / first)
      if (plain === undefined) continue
      server.send({ ...plain, path: path() })
      const [times] = await once(server, 'message')
      figure.plain.push(times.plain)
      figure.toOurs.push(times.plain / times.ours)
    }
  }
  return cases.map(([name], index) => row(name, figures[index]))
}

function row(name, { times, toFirst, plain, toOurs }) {
  const [middle, late] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1))
  const beside =
    plain.length === 0
      ? ['', '']
      : [`${median(plain).toFixed(0)} ms`, `${median(toOurs).toFixed(0)}x`]
  return `| ${[name, `${middle} ms`, `${late} ms`, `${median(toFirst).toFixed(1)}x`, ...beside].join(' | ')} |`
}
