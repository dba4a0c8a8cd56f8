import { expect } from 'vitest'
import { TAKE_BACK_MS } from '../../../domain/limits.ts'
import { addDays, dayAt } from './agency-time.ts'
import { type Article, isAdmin, mayRead, type Note, type Person, type World } from './mail-world.ts'

/** What users do, by calls of the API. Each step changes the model as the call changes the agency. */

const SECOND = 1_000

type Step = (w: World, article: Article, person: Person) => Promise<void>

async function call(
  { app }: World,
  { user }: Person,
  method: 'post' | 'patch' | 'put' | 'delete',
  path: string,
  body?: object,
) {
  const answer = await app.as(user)[method](path, body)
  const said = await answer.clone().text()
  expect(answer.status, `${method} ${path} ${said}`).toBeLessThan(300)
}
const pathOf = ({ id }: Article) => `/v1/articles/${id}`
const adminOf = ({ people, random }: World): Person => random.pick(people.filter(isAdmin))

function nameOf(w: World, kind: string): string {
  w.named += 1
  return `${kind}${w.named}`
}

function addNews({ app }: World, { news }: Article, name: string): void {
  if (!news.has(name)) news.set(name, app.clock.now())
}

const write: Step = async (w, article, person) => {
  if (article.complete !== null || !mayRead(person, article)) return
  const words = article.words > 0 && w.random.below(8) === 0 ? 0 : 1 + w.random.below(5)
  const text = Array.from({ length: words }, () => nameOf(w, 'word')).join(' ')
  const content = words === 0 ? [] : [{ type: 'text', text }]
  await call(w, person, 'patch', pathOf(article), {
    articleText: { type: 'doc', content: [{ type: 'paragraph', content }] },
  })
  Object.assign(article, { words, textAt: w.app.clock.now() })
  article.participants.add(person)
}

const setDueDay: Step = async (w, article) => {
  const today = dayAt(w.zone, w.app.clock.now())
  article.dueOn = w.random.below(4) === 0 ? null : addDays(today, w.random.below(9) - 2)
  await call(w, adminOf(w), 'put', `${pathOf(article)}/plan`, { brief: '', dueOn: article.dueOn })
}

const complete: Step = async (w, article, person) => {
  if (article.complete !== null || !mayRead(person, article)) return
  await call(w, person, 'patch', pathOf(article), { completed: true })
  article.complete = { by: person, at: w.app.clock.now() }
  article.reopened = null
  article.handIns += 1
  article.participants.add(person)
  addNews(w, article, `in ${article.handIns}`)
}

const reopen: Step = async (w, article) => {
  if (article.complete === null) return
  const admin = adminOf(w)
  await call(w, admin, 'patch', pathOf(article), { completed: false })
  article.complete = null
  article.reopened = { by: admin, at: w.app.clock.now() }
  addNews(w, article, `out ${article.handIns}`)
}

const explain: Step = async (w, article) => {
  const { complete, handIns: handIn } = article
  if (complete !== null || handIn === 0) return
  const admin = adminOf(w)
  const body = nameOf(w, 'reason')
  await call(w, admin, 'post', `${pathOf(article)}/notes`, { kind: 'reopened', body, handIn })
  article.reasons.set(handIn, body)
  article.participants.add(admin)
  addNews(w, article, `out ${handIn}`)
}

const aboutWords = ({ notes }: Article): Note[] =>
  notes.filter(({ about, isGone }) => about === null && !isGone)

const annotate: Step = async (w, article, person) => {
  if (!mayRead(person, article)) return
  const name = nameOf(w, 'note')
  const others = aboutWords(article)
  const about = others.length > 0 && w.random.below(2) === 0 ? w.random.pick(others).name : null
  const anchor = { quote: 'x', before: '', after: '', block: 0, textVersion: 1 }
  const kind = about === null ? { kind: 'note', anchor } : { kind: 'answer', to: about }
  await call(w, person, 'post', `${pathOf(article)}/notes`, { ...kind, body: name, ref: name })
  const at = w.app.clock.now()
  article.notes.push({ name, by: person, at, about, isDone: false, isGone: false })
  article.participants.add(person)
  addNews(w, article, name)
}

const settle: Step = async (w, article, person) => {
  const notes = aboutWords(article)
  if (notes.length === 0 || !mayRead(person, article)) return
  const note = w.random.pick(notes)
  note.isDone = !note.isDone
  await call(w, person, 'patch', `${pathOf(article)}/notes/${note.name}`, { done: note.isDone })
  article.participants.add(person)
}

const takeBack: Step = async (w, article) => {
  const since = w.app.clock.now() - TAKE_BACK_MS
  const note = article.notes.findLast(({ at, isGone }) => !isGone && at >= since)
  if (note === undefined || !mayRead(note.by, article)) return
  await call(w, note.by, 'patch', `${pathOf(article)}/notes/${note.name}`, { takenBack: true })
  note.isGone = true
}

const choose: Step = async (w, _, person) => {
  const choice = w.random.pick(['at-once', 'at-once', 'daily', 'none'])
  const follows = isAdmin(person) ? w.clients.filter(() => w.random.below(2) === 0) : []
  const ids = follows.map(({ id }) => id)
  await call(w, person, 'put', `/v1/users/${person.user.id}/mails`, { choice, follows: ids })
  Object.assign(person, { choice, follows: new Set(follows) })
}

const moveToOther: Step = async (w, article) => {
  const [first, second] = w.clients
  article.client = article.client === first ? second : first
  const body = { clientId: article.client.id }
  await call(w, adminOf(w), 'patch', `/v1/articles/admin/${article.id}`, body)
}

/** Removes the user from a client, or adds one who is not its member. */
const changeMembership: Step = async (w, _, person) => {
  if (isAdmin(person)) return
  const { id, members } = w.random.pick(w.clients)
  if (!members.delete(person)) members.add(person)
  const users = [...members].map(({ user }) => user.id)
  await call(w, adminOf(w), 'patch', `/v1/clients/${id}`, { users })
}

const remove: Step = async (w, article) => {
  await call(w, adminOf(w), 'delete', pathOf(article))
  article.isDeleted = true
}

const STEPS: Step[] = [
  ...[complete, complete, complete, reopen, reopen, reopen, explain, explain, write, write],
  ...[annotate, annotate, annotate, annotate, settle, takeBack, choose, setDueDay, setDueDay],
  ...[moveToOther, changeMembership],
]

export async function takeStep(w: World): Promise<void> {
  const { app, articles, people, random } = w
  const step = random.below(60) === 0 ? remove : random.pick(STEPS)
  const there = articles.filter(({ isDeleted }) => !isDeleted)
  // The server makes the times of hand-ins distinct, so steps must not share one.
  app.clock.advance(SECOND)
  if (there.length > 0) await step(w, random.pick(there), random.pick(people))
}
