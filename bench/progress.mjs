import { call, median, quantile, startServer, tokenOf } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The progress of all articles over the articles of `node bench/lists.mjs`, each request next to the one of the article
 * table that asks for as much. Run `npm run build` first, then `node bench/progress.mjs`; it takes about ten minutes and
 * writes its section of docs/benchmarks.md. ARTICLES is the number of articles.
 */

const ARTICLES = Number(process.env.ARTICLES ?? 1_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const REQUESTS = 10

const { url, stop } = await startServer(new URL('./lists-server.mjs', import.meta.url))
try {
  const bearer = await tokenOf(url)
  const ask = (path) => call(url, 'GET', path, undefined, bearer)
  const clients = (await ask('/clients?limit=999')).results.map(({ id }) => `clientId=${id}`)
  const newest = '/articles?sortBy=updatedAt:desc'
  const middle = Math.floor(ARTICLES / 20)
  const figures = await measure(ask, [
    ['by risk', '/progress', '/articles'],
    ['by name', '/progress?sortBy=name', '/articles?sortBy=name'],
    ['by words, most first', '/progress?sortBy=words:desc', '/articles?sortBy=wordMinimum:desc'],
    ['by last words, latest first', '/progress?sortBy=lastWords:desc', newest],
    ['by date', '/progress?sortBy=due', '/articles?sortBy=updatedAt'],
    ['by date, latest first', '/progress?sortBy=due:desc', newest],
    ['page in the middle, by risk', `/progress?page=${middle}`, `/articles?page=${middle}`],
    ['last page, by risk', `/progress?page=${ARTICLES / 10}`, `/articles?page=${ARTICLES / 10}`],
    ['late', '/progress?due=late', '/articles?completed=false'],
    ['late, by name', '/progress?due=late&sortBy=name', '/articles?completed=false&sortBy=name'],
    ['due this week', '/progress?due=this-week', '/articles?completed=false'],
    [
      'due this week, by words',
      '/progress?due=this-week&sortBy=words',
      '/articles?completed=false',
    ],
    ['without a date', '/progress?due=none', '/articles?completed=false'],
    ['complete', '/progress?state=complete', '/articles?completed=true'],
    ['being written', '/progress?state=being-written', '/articles?completed=false'],
    [
      'being written, by last words',
      '/progress?state=being-written&sortBy=lastWords:desc',
      `${newest}&completed=false`,
    ],
    [
      'reopened, by name',
      '/progress?state=reopened&sortBy=name',
      '/articles?completed=false&sortBy=name',
    ],
    ['one client', `/progress?${clients[0]}`, `/articles?${clients[0]}`],
    [
      'late, of one client',
      `/progress?due=late&${clients[0]}`,
      `/articles?${clients[0]}&completed=false`,
    ],
    [
      '999 clients',
      `/progress?${clients.slice(0, 999).join('&')}`,
      `/articles?${clients.slice(0, 999).join('&')}`,
    ],
    ['search that 1,110 articles match', '/progress?name=nr%20999', '/articles?name=nr%20999'],
    ['search that all articles match', '/progress?name=garden', '/articles?name=garden'],
    ['search for two letters', '/progress?name=fe', '/articles?name=fe'],
    ['search that no article matches', '/progress?name=zeppelin', '/articles?name=zeppelin'],
    ['100 rows, by risk', '/progress?limit=100', '/articles?limit=100'],
  ])
  writeSection('The progress of articles', [
    `${ARTICLES.toLocaleString('en')} articles of 2,000 clients on SQLite, half of them with a date, whole requests over`,
    `HTTP with sign-in checked, one after another (${ROUNDS} rounds of ${REQUESTS} requests a row, each next to those of the`,
    'article table; `node bench/progress.mjs`). The last column is the middle of the rounds’ ratios.',
    '',
    '| Request | Median | 95th percentile | Article table, median | Against the article table |',
    '|---|---|---|---|---|',
    ...figures.map(row),
  ])
} finally {
  await stop()
}

async function measure(ask, cases) {
  const figures = cases.map(([name]) => ({ name, ours: [], theirs: [], ratios: [] }))
  for (const [, ours, theirs] of cases) for (const path of [ours, theirs]) await ask(path)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, [, ours, theirs]] of cases.entries()) {
      const samples = { ours: [], theirs: [] }
      for (let request = 0; request < REQUESTS; request += 1) {
        samples.ours.push(await timeOf(() => ask(ours)))
        samples.theirs.push(await timeOf(() => ask(theirs)))
      }
      const figure = figures[index]
      figure.ours.push(...samples.ours)
      figure.theirs.push(...samples.theirs)
      figure.ratios.push(median(samples.ours) / median(samples.theirs))
    }
  }
  return figures
}

async function timeOf(request) {
  const startedAt = performance.now()
  await request()
  return performance.now() - startedAt
}

function row({ name, ours, theirs, ratios }) {
  const [middle, late] = [0.5, 0.95].map((share) => `${quantile(ours, share).toFixed(1)} ms`)
  return `| ${[name, middle, late, `${median(theirs).toFixed(1)} ms`, `${median(ratios).toFixed(1)}x`].join(' | ')} |`
}
