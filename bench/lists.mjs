import { call, quantile, startServer, tokenOf } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The agency's article table over 100,000 articles of 2,000 clients, asked over HTTP from a second
 * process. Run `npm run build` first, then `node bench/lists.mjs`; it takes about three minutes and
 * writes its section of docs/benchmarks.md. Every row is set beside the first page of the same run.
 */

const ROUNDS = 5
const REQUESTS = 20
const ask = (url, bearer, path) => call(url, 'GET', path, undefined, bearer)

const { url, stop } = await startServer(new URL('./lists-server.mjs', import.meta.url))
try {
  const bearer = await tokenOf(url)
  const clients = await ask(url, bearer, '/clients?limit=999')
  const some = clients.results
    .slice(0, 999)
    .map(({ id }) => `clientId=${id}`)
    .join('&')
  const cases = [
    ['first page, by id', '/articles'],
    ['page 5,000', '/articles?page=5000'],
    ['last page (10,000)', '/articles?page=10000'],
    ['first page by name', '/articles?sortBy=name:asc'],
    ['first page by last change, newest first', '/articles?sortBy=updatedAt:desc'],
    ['first page by client', '/articles?sortBy=client:asc'],
    ['search for a substring that 10 articles have', '/articles?name=nr%2099%20'],
    ['search for a substring that all articles have', '/articles?name=garden'],
    ['filter by one client', `/articles?clientId=${clients.results[0].id}`],
    ['filter by 999 clients', `/articles?${some}`],
    ['999 clients for the filter', '/clients?limit=999'],
  ]
  const rows = await measure(url, bearer, cases)
  writeSection('The agency’s article table', [
    '100,000 articles of 2,000 clients on SQLite, whole requests over HTTP with sign-in checked, one after another',
    `(${ROUNDS} rounds of ${REQUESTS} requests a row, rows interleaved; \`node bench/lists.mjs\`).`,
    '',
    '| Request | Median | 95th percentile | Against the first page |',
    '|---|---|---|---|',
    ...rows,
  ])
} finally {
  await stop()
}

async function measure(url, bearer, cases) {
  const times = new Map(cases.map(([name]) => [name, []]))
  const ratios = new Map(cases.map(([name]) => [name, []]))
  for (const [, path] of cases) await ask(url, bearer, path)
  for (let round = 0; round < ROUNDS; round += 1) {
    let first = 0
    for (const [name, path] of cases) {
      const samples = []
      for (let request = 0; request < REQUESTS; request += 1) {
        const startedAt = performance.now()
        await ask(url, bearer, path)
        samples.push(performance.now() - startedAt)
      }
      const middle = quantile(samples, 0.5)
      if (first === 0) first = middle
      times.get(name).push(...samples)
      ratios.get(name).push(middle / first)
    }
  }
  return cases.map(([name]) => {
    const [median, late] = [0.5, 0.95].map((share) => quantile(times.get(name), share).toFixed(1))
    return `| ${name} | ${median} ms | ${late} ms | ${quantile(ratios.get(name), 0.5).toFixed(1)}x |`
  })
}
