import { expect, inject, it } from 'vitest'
import { readArticleList } from '../../domain/lists/article-list.ts'
import { LIST_FIELDS, type ListColumns } from '../../domain/lists/article-list-fields.ts'
import { csvText, readCsv } from '../../domain/lists/csv.ts'
import { outlineText } from '../../domain/text/outline.ts'
import type {
  ArticleListAnswer,
  ClientDecision,
  ListedArticle,
  ListedOutcome,
} from '../../domain/wire/article-lists.ts'
import { runCount } from '../../scripts/test-depth.ts'
import type { ArticlePlanRow } from '../database/tables.ts'
import { createRandom } from '../testing/fuzz-requests.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

/**
 * Spreadsheets at random, in agencies at random: the dry run says what the run does, row by row, and afterwards the
 * database is as if each row had been done by single calls.
 */
/** PostgreSQL takes real time. */
const LISTS = Math.ceil(runCount('ARTICLE_LISTS') / (inject('postgres') ? 10 : 1))
const SEED = Number(process.env.ARTICLE_LISTS_SEED ?? 20_261_203)
const LISTS_PER_WORLD = 20

type Random = ReturnType<typeof createRandom>

const NAMES = [
  'Oats',
  'OATS',
  'Öl',
  'Ol',
  'Oats\u00a0',
  'Rye & Co',
  '=1+1',
  '"Best" Knives',
  'ΟΔΟΣ',
  '',
]
const CLIENTS = ['Fathom', 'fathom', 'Larkspur', 'Fathom Coffee', 'Nord', '', '', '']
const KEYWORDS = [
  'path light',
  'glare',
  'Lumen',
  'oat milk',
  'oat milk',
  '!!',
  'x, y',
  "o'clock",
  '',
]
const CELLS: Record<string, readonly string[]> = {
  minimum: ['', '', '900', '1.200', '0', 'about 900'],
  due: ['', '', '03.12.2026', '2026-12-24', '3 Dec 2027', '46359', '31.02.2027'],
  brief: ['', '', 'Short.', ' Short. ', '=SUM(A1)', 'Two\nlines', "'quoted'"],
  outline: ['', 'Begin\n- Middle', 'H3: End', '"Marks"'],
  source: ['E', 'I', 'x', ''],
  score: ['4', '4,5', '80', '1.234', 'high', ''],
  template: ['', '', 'Standard', ' standard', 'None such'],
}
const TEXTS = ['Path light and glare.', 'Lumen, oat milk and an oat.', 'Nothing.']

const FIELDS = LIST_FIELDS.map(({ key }) => key)
const COLUMNS = Object.fromEntries(FIELDS.map((key, at) => [key, at])) as ListColumns

/** The articles of a spreadsheet at random that can be sent. */
function listAtRandom(random: Random): ListedArticle[] {
  const rows = Array.from({ length: 1 + random.below(12) }, () =>
    FIELDS.map((field) => {
      if (field === 'article') return random.one(NAMES)
      if (field === 'client') return random.one(CLIENTS)
      return random.one(field === 'keyword' ? KEYWORDS : (CELLS[field] ?? []))
    }),
  )
  const labels = LIST_FIELDS.map(({ label }) => label)
  const file = readCsv(csvText([labels, ...rows], ';'), () => false)
  if (!file.ok) throw new Error(JSON.stringify(file.fault))
  const shape = random.chance(2) ? 'article' : 'entity'
  const { articles } = readArticleList(file, { headerRow: 0, columns: COLUMNS, shape })
  return articles.flatMap(({ article }) => (article === null ? [] : [article]))
}

type Agency = { app: TestApp; admin: TestUser }

/** The same agency for the same random source. */
async function createAgency(random: Random): Promise<Agency> {
  const app = await createTestApp()
  const admin = await app.user({ role: 'admin' })
  const source = await app.article({ name: 'Source', wordMinimum: 700 })
  await app
    .as(admin)
    .put(`/v1/articles/${source.id}/plan`, { brief: 'For gardeners.', dueOn: null })
  await app.as(admin).post('/v1/templates', { name: 'Standard', articleId: source.id })
  const clients = [null]
  for (const name of ['Fathom', 'Larkspur', ...(random.chance(2) ? ['fathom'] : [])])
    clients.push((await app.client({ name })) as never)
  for (let count = random.below(8); count > 0; count -= 1) {
    await app.article({
      name: random.one(NAMES.slice(0, 6)).trim(),
      client: random.one(clients),
      wordMinimum: random.one([0, 900]),
      articleText: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: random.one(TEXTS) }] }],
      },
      keywordList: ['path light', 'glare', 'lumen']
        .slice(random.below(4))
        .map((keyword) => ({ keyword, source: 'E', score: '4', category: 'Must Use' })),
    })
  }
  return { app, admin }
}

async function call<T>(
  { app, admin }: Agency,
  method: 'post' | 'patch',
  path: string,
  body: object,
) {
  const answer = await app.as(admin)[method](`/v1/${path}`, body)
  return { status: answer.status, body: (await answer.json()) as T }
}

/** Everything that a list can change, without ids, versions and times. */
async function contentOf({ app: { db } }: Agency): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .leftJoin('clients', 'clients.id', 'articles.client_id')
    .leftJoin('article_plans', 'article_plans.article_id', 'articles.id')
    .selectAll('articles')
    .select(['clients.name as client', 'clients.moonowl', 'brief', 'due_on', 'counter'])
    .execute()
  const articles = rows.map((row) =>
    JSON.stringify([
      ...[row.name, row.name_folded, row.client, row.moonowl, row.client_name_folded],
      ...[row.word_minimum, row.keyword_list, row.has_entities, row.article_text],
      ...[row.text_version, row.words, row.completed, row.brief, row.due_on, row.counter],
    ]),
  )
  const clients = await db.selectFrom('clients').select(['name', 'moonowl']).execute()
  return [...articles, ...clients.map((client) => JSON.stringify(client))].sort()
}

// ── By single calls ─────────────────────────────────────────────────────────────────────────────

const letters = (name: string) => name.replace(/\s/g, ' ').trim().toUpperCase().toLowerCase()
const isSame = (name: string) => (other: { name: string }) => letters(other.name) === letters(name)

/** Another statement of the rules of POST /articles/list. */
async function bySingleCalls(
  agency: Agency,
  articles: readonly ListedArticle[],
  decisions: readonly ClientDecision[],
): Promise<void> {
  const clients = await clientsByCalls(agency, articles, decisions)
  const done = new Set<string>()
  for (const listed of articles) {
    const clientId =
      listed.client === undefined ? null : (clients.get(letters(listed.client)) ?? null)
    const meant = await meantBy(agency, listed.name, clientId)
    if (meant === 'unclear' || (meant !== undefined && done.has(meant))) continue
    const hasTemplate = listed.template !== undefined
    if (meant === undefined && hasTemplate && letters(listed.template ?? '') !== 'standard')
      continue
    const id = meant ?? (await createByCalls(agency, listed, clientId))
    done.add(id)
    const { wordMinimum, keywordList } = listed
    const settings = {
      ...(clientId !== null && { clientId }),
      ...(wordMinimum !== undefined && { wordMinimum }),
      ...(keywordList !== undefined && { keywordList }),
    }
    if (Object.keys(settings).length > 0)
      await call(agency, 'patch', `articles/admin/${id}`, settings)
    await planByCalls(agency, id, listed, meant === undefined)
  }
}

async function clientsByCalls(
  agency: Agency,
  articles: readonly ListedArticle[],
  decisions: readonly ClientDecision[],
): Promise<Map<string, string | null>> {
  const live = await agency.app.db.selectFrom('clients').select(['id', 'name']).execute()
  const found = new Map<string, string | null>()
  for (const { client } of articles) {
    if (client === undefined || found.has(letters(client))) continue
    const same = live.filter(isSame(client))
    const use = decisions.find(isSame(client))?.use
    if (same.length === 1) found.set(letters(client), same[0]?.id ?? null)
    else if (use !== 'create') found.set(letters(client), use === 'none' ? null : (use ?? null))
    else {
      const { body } = await call<{ id: string }>(agency, 'post', 'clients', { name: client })
      found.set(letters(client), body.id)
    }
  }
  return found
}

async function meantBy({ app }: Agency, name: string, clientId: string | null) {
  const all = await app.db.selectFrom('articles').select(['id', 'name', 'client_id']).execute()
  const same = all.filter(isSame(name))
  const own = same.filter((article) => article.client_id === clientId)
  const free = same.filter((article) => article.client_id === null)
  const candidates = clientId === null ? same : own.length > 0 ? own : free
  return candidates.length > 1 ? 'unclear' : candidates[0]?.id
}

async function createByCalls(
  agency: Agency,
  { name, wordMinimum, outline, template }: ListedArticle,
  clientId: string | null,
): Promise<string> {
  const { db } = agency.app
  const standard = await db.selectFrom('brief_templates').select('id').executeTakeFirst()
  const article = {
    name,
    clientId,
    wordMinimum: wordMinimum ?? (template === undefined ? 0 : 700),
    ...(outline !== undefined && { articleText: outlineText(outline) }),
    ...(template !== undefined && { templateId: standard?.id }),
  }
  return (await call<{ id: string }>(agency, 'post', 'articles', article)).body.id
}

async function planByCalls(
  { app: { db }, admin }: Agency,
  id: string,
  { brief, dueOn }: ListedArticle,
  isNew: boolean,
): Promise<void> {
  const before = await db
    .selectFrom('article_plans')
    .selectAll()
    .where('article_id', '=', id)
    .executeTakeFirst()
  const plan: ArticlePlanRow = {
    article_id: id,
    brief: brief ?? before?.brief ?? '',
    due_on: dueOn ?? before?.due_on ?? null,
    // The plan of a new article is one change, also where its template gave a part of it.
    counter: isNew ? 1 : (before?.counter ?? 0) + 1,
    changed_by: admin.id,
    changed_by_name: admin.name,
    changed_at: '',
  }
  if (plan.brief === (before?.brief ?? '') && plan.due_on === (before?.due_on ?? null)) return
  await db.deleteFrom('article_plans').where('article_id', '=', id).execute()
  await db.insertInto('article_plans').values(plan).execute()
}

// ── As a list ───────────────────────────────────────────────────────────────────────────────────

const withoutIds = ({ id: _, clientId: __, ...outcome }: ListedOutcome) => outcome

/** Runs the list after a dry run, with decisions for the clients that are unknown. Returns them. */
async function asList(
  agency: Agency,
  articles: ListedArticle[],
  random: Random,
): Promise<ClientDecision[]> {
  const send = (body: object) =>
    call<ArticleListAnswer>(agency, 'post', 'articles/list', { articles, ...body })
  const first = await send({ dryRun: true })
  expect(first.status).toBe(200)
  const clients = first.body.unknownClients.map(({ name, near }) => {
    const use = random.one(['create', 'none', near[0]?.id ?? 'create'] as const)
    return { name, use }
  })
  if (clients.length > 0) {
    const before = await contentOf(agency)
    expect((await send({ dryRun: false, plan: first.body.plan })).status).toBe(409)
    expect(await contentOf(agency)).toEqual(before)
  }
  const before = await contentOf(agency)
  const dry = (await send({ dryRun: true, clients })).body
  expect(await contentOf(agency)).toEqual(before)
  const run = await send({ dryRun: false, clients, plan: dry.plan })
  expect([run.status, run.body.done, run.body.plan]).toEqual([200, true, dry.plan])
  expect(run.body.articles.map(withoutIds)).toEqual(dry.articles.map(withoutIds))
  return clients
}

it(`${LISTS} lists at random do what their dry runs say, and what single calls do`, {
  timeout: 60_000 + LISTS * 1_000,
}, async () => {
  const random = createRandom(SEED)
  let [asLists, byCalls]: Agency[] = []
  for (let count = 0; count < LISTS; count += 1) {
    if (count % LISTS_PER_WORLD === 0 || asLists === undefined || byCalls === undefined) {
      await asLists?.app.settled()
      asLists = await createAgency(createRandom(SEED + count))
      byCalls = await createAgency(createRandom(SEED + count))
    }
    const articles = listAtRandom(random)
    if (articles.length === 0) continue
    const decisions = await asList(asLists, articles, random)
    await bySingleCalls(byCalls, articles, decisions)
    const about = `list ${count}: ${JSON.stringify({ articles, decisions })}`
    expect(await contentOf(asLists), about).toEqual(await contentOf(byCalls))
    await Promise.all([asLists.app.settled(), byCalls.app.settled()])
  }
})
