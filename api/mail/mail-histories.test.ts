import { expect, it } from 'vitest'
import { type Random, randomOf } from '../../domain/testing/random-prose.ts'
import { runCount } from '../../scripts/test-depth.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { runOutbox } from './outbox.ts'

/**
 * Random histories against a model of who has to be mailed what. The model keeps the state of the articles itself, and
 * says for each minute which mails leave in it.
 */

const MINUTE = 60_000
const STEPS = 40

type Note = { name: string; by: string; about: string | null; isDone: boolean; isGone: boolean }
type Article = {
  id: string
  name: string
  isDeleted: boolean
  client: number
  isComplete: boolean
  handIns: number
  completedBy: string
  reopenedBy: string | null
  reasons: Map<number, string>
  notes: Note[]
  participants: Set<string>
  /** 'in 2', 'out 2' or the name of a note, with the minute of the first. */
  news: { since: number; names: Set<string> } | null
}
type Person = { user: TestUser; choice: string; follows: Set<number> }

async function world(random: Random) {
  const app = await createTestApp({
    config: { accessTokenMinutes: 24 * 60, smtpUrl: 'smtp://127.0.0.1' },
  })
  const admins = [await app.user({ role: 'admin' }), await app.user({ role: 'admin' })]
  const writers = [await app.user(), await app.user(), await app.user()]
  const people = new Map<string, Person>(
    [...admins, ...writers].map((user) => [
      user.id,
      { user, choice: user.role === 'admin' ? 'daily' : 'at-once', follows: new Set() },
    ]),
  )
  const members = [
    new Set([writers[0]?.id ?? '', writers[1]?.id ?? '']),
    new Set([writers[2]?.id ?? '']),
  ]
  const clients: { id: string }[] = []
  for (const [at, ids] of members.entries())
    clients.push(await app.client({ name: `Client ${at}`, users: [...ids].map((id) => ({ id })) }))
  const articles: Article[] = []
  for (const at of [0, 1, 2]) {
    const client = random.below(2)
    const { id, name } = await app.article({
      name: `Article ${at}`,
      client: clients[client] ?? null,
    })
    articles.push({
      ...{ id, name, client, isDeleted: false, isComplete: false, handIns: 0 },
      ...{ completedBy: '', reopenedBy: null, reasons: new Map(), notes: [] },
      ...{ participants: new Set<string>(), news: null },
    })
  }
  return { app, random, people, members, clients, articles, minute: 0, named: 0 }
}
type World = Awaited<ReturnType<typeof world>>

const nextNumber = (w: World): number => {
  w.named += 1
  return w.named
}

const add = (w: World, article: Article, name: string) => {
  article.news ??= { since: w.minute, names: new Set() }
  article.news.names.add(name)
}
const mayRead = (w: World, { user }: Person, article: Article) =>
  user.role === 'admin' || w.members[article.client]?.has(user.id) === true

/** What a mail about the article tells this person now; null for no mail. */
function expected(w: World, article: Article, person: Person): string[] | null {
  const { user, choice, follows } = person
  if (choice !== 'at-once' || article.isDeleted || !mayRead(w, person, article)) return null
  const names = article.news?.names ?? new Set()
  const isMember = w.members[article.client]?.has(user.id)
  const told: string[] = []
  if (names.has(`out ${article.handIns}`) && !article.isComplete && article.reopenedBy !== null) {
    const reason = article.reasons.get(article.handIns)
    if (isMember && article.reopenedBy !== user.id)
      told.push('reopened', ...(reason ? [reason] : []))
  }
  if (names.has(`in ${article.handIns}`) && article.isComplete && user.role === 'admin')
    if (follows.has(article.client) && article.completedBy !== user.id) told.push('handed in')
  const isOpen = ({ isDone, isGone, about }: Note): boolean => {
    const root = article.notes.find(({ name }) => name === about)
    return !isGone && !isDone && (root === undefined || isOpen(root))
  }
  for (const note of article.notes) {
    if (!article.participants.has(user.id) || note.by === user.id) continue
    if (!names.has(note.name) || !isOpen(note)) continue
    if (note.about !== null || !told.includes('reopened')) told.push(note.name)
    else told.push('reopened')
  }
  return told.length === 0 ? null : [...new Set(told)].sort()
}

async function nextMinute(w: World): Promise<void> {
  const { app, articles, people } = w
  w.minute += 1
  app.clock.advance(MINUTE)
  app.sentMail.length = 0
  await runOutbox(app.deps)
  const wanted = articles.flatMap((article) => {
    if (article.news === null || w.minute - article.news.since < 10) return []
    const mails = [...people.values()].flatMap((person) => {
      const told = expected(w, article, person)
      return told ? [`${person.user.email}: ${article.name}: ${told.join()}`] : []
    })
    article.news = null
    return mails
  })
  const sent = app.sentMail.map(({ to, subject, text }) => {
    const told = [
      ...(text.includes(' reopened this article ') ? ['reopened'] : []),
      ...(text.includes(' handed in this article ') ? ['handed in'] : []),
      ...(text.match(/^> \S+$/gm) ?? []).map((line) => line.slice(2)),
    ]
    return `${to}: ${subject.split(': ')[1]}: ${[...new Set(told)].sort().join()}`
  })
  expect(sent.sort()).toEqual(wanted.sort())
}

type Step = (w: World, article: Article, person: Person) => Promise<void>

async function call(
  app: TestApp,
  person: Person,
  method: 'post' | 'patch' | 'put',
  path: string,
  body: object,
) {
  const answer = await app.as(person.user)[method](path, body)
  expect(answer.status, `${method} ${path} ${await answer.clone().text()}`).toBeLessThan(300)
}
const pathOf = ({ id }: Article) => `/v1/articles/${id}`
const adminOf = ({ people, random }: World): Person =>
  random.pick([...people.values()].filter(({ user }) => user.role === 'admin'))

const complete: Step = async (w, article, person) => {
  if (article.isComplete || !mayRead(w, person, article)) return
  await call(w.app, person, 'patch', pathOf(article), { completed: true })
  article.isComplete = true
  article.handIns += 1
  article.completedBy = person.user.id
  article.reopenedBy = null
  article.participants.add(person.user.id)
  add(w, article, `in ${article.handIns}`)
}
const reopen: Step = async (w, article) => {
  if (!article.isComplete) return
  const admin = adminOf(w)
  await call(w.app, admin, 'patch', pathOf(article), { completed: false })
  article.isComplete = false
  article.reopenedBy = admin.user.id
  add(w, article, `out ${article.handIns}`)
}
const explain: Step = async (w, article) => {
  if (article.isComplete || article.handIns === 0) return
  const admin = adminOf(w)
  const body = `reason${nextNumber(w)}`
  await call(w.app, admin, 'post', `${pathOf(article)}/notes`, {
    kind: 'reopened',
    body,
    handIn: article.handIns,
  })
  article.reasons.set(article.handIns, body)
  article.participants.add(admin.user.id)
  add(w, article, `out ${article.handIns}`)
}
const annotate: Step = async (w, article, person) => {
  if (!mayRead(w, person, article)) return
  const name = `note${nextNumber(w)}`
  const open = article.notes.filter(({ about, isGone }) => about === null && !isGone)
  const about = open.length > 0 && w.random.below(2) === 0 ? w.random.pick(open).name : null
  const anchor = { quote: 'x', before: '', after: '', block: 0, textVersion: 1 }
  const kind = about === null ? { kind: 'note', anchor } : { kind: 'answer', to: about }
  await call(w.app, person, 'post', `${pathOf(article)}/notes`, { ...kind, body: name, ref: name })
  article.notes.push({ name, by: person.user.id, about, isDone: false, isGone: false })
  article.participants.add(person.user.id)
  add(w, article, name)
}
const settle: Step = async (w, article, person) => {
  const open = article.notes.filter(({ about, isGone }) => about === null && !isGone)
  if (open.length === 0 || !mayRead(w, person, article)) return
  const note = w.random.pick(open)
  await call(w.app, person, 'patch', `${pathOf(article)}/notes/${note.name}`, {
    done: !note.isDone,
  })
  note.isDone = !note.isDone
  article.participants.add(person.user.id)
}
const choose: Step = async (w, _, person) => {
  const choice = w.random.pick(['at-once', 'at-once', 'daily', 'none'])
  const follows = person.user.role === 'admin' ? [0, 1].filter(() => w.random.below(2) === 0) : []
  const ids = follows.map((at) => w.clients[at]?.id)
  await call(w.app, person, 'put', `/v1/users/${person.user.id}/mails`, { choice, follows: ids })
  Object.assign(person, { choice, follows: new Set(follows) })
}
const moveToOther: Step = async (w, article) => {
  article.client = 1 - article.client
  const clientId = w.clients[article.client]?.id
  await call(w.app, adminOf(w), 'patch', `/v1/articles/admin/${article.id}`, { clientId })
}
const withdraw: Step = async (w, _, { user }) => {
  const at = w.random.below(2)
  const members = w.members[at] ?? new Set()
  if (user.role === 'admin') return
  if (!members.delete(user.id)) members.add(user.id)
  await call(w.app, adminOf(w), 'patch', `/v1/clients/${w.clients[at]?.id}`, {
    users: [...members],
  })
}
const remove: Step = async (w, article) => {
  const answer = await w.app.as(adminOf(w).user).delete(pathOf(article))
  expect(answer.status).toBe(204)
  article.isDeleted = true
}
const STEP_CHOICES: Step[] = [
  ...[complete, complete, complete, reopen, reopen, reopen, explain, explain],
  ...[annotate, annotate, annotate, annotate, settle, choose, moveToOther, withdraw],
]

const HISTORIES = runCount('MAIL_HISTORIES')

it('who is mailed what is what a model says, in each minute of random histories', {
  timeout: 60_000 + HISTORIES * 15_000,
}, async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const random = randomOf(seed)
    const w = await world(random)
    for (let count = 0; count < STEPS; count++) {
      const live = w.articles.filter(({ isDeleted }) => !isDeleted)
      const step = random.below(60) === 0 ? remove : random.pick(STEP_CHOICES)
      if (live.length > 0) await step(w, random.pick(live), random.pick([...w.people.values()]))
      for (let minutes = random.below(6); minutes > 0; minutes--) await nextMinute(w)
    }
    for (let minutes = 0; minutes < 11; minutes++) await nextMinute(w)
  }
})
