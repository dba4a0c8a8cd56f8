import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { runOutbox } from './outbox.ts'

const MINUTE = 60_000

let app: TestApp
let admin: TestUser
let writer: TestUser
let client: { id: string; name: string }
let id: string

beforeEach(async () => {
  app = await createTestApp({
    config: {
      publicUrl: 'https://articles.example',
      accessTokenMinutes: 24 * 60,
      smtpUrl: 'smtp://127.0.0.1',
    },
  })
  admin = await app.user({ name: 'Rowan Ashdown', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  client = await app.client({ name: 'Larkspur Gardens', users: [writer] })
  id = (await app.article({ name: 'Raising Beds', client, wordMinimum: 700 })).id
})

/** Looks for due mails as the server does, every 5 seconds. */
async function wait(ms: number) {
  for (let waited = 0; waited < ms; waited += 5_000) {
    app.clock.advance(5_000)
    await runOutbox(app.deps)
  }
}
const complete = (person = writer) =>
  app.as(person).patch(`/v1/articles/${id}`, { completed: true })
const reopen = () => app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
const note = (person: TestUser, body: object) =>
  app.as(person).post(`/v1/articles/${id}/notes`, body)
const why = (body: string) => note(admin, { kind: 'reopened', body, handIn: 1 })
const choose = (person: TestUser, choice: string, follows: string[] = []) =>
  app.as(person).put(`/v1/users/${person.id}/mails`, { choice, follows })
const mails = () => app.sentMail.map(({ to, subject }) => [to, subject])
const ANCHOR = { quote: 'half the lamps', before: '', after: '', block: 0, textVersion: 1 }
const marginNote = (ref: string, body = 'How many?') => ({
  kind: 'note',
  body,
  ref,
  anchor: ANCHOR,
})

describe('a mail about a reopened article', () => {
  it('goes to the writers ten minutes later, with the reason and what is so by then', async () => {
    await complete()
    await wait(11 * MINUTE)
    await reopen()
    app.clock.advance(MINUTE)
    await why('Three small things about prices.\nThen it is done.')
    await note(admin, marginNote('a'))
    await wait(8 * MINUTE)
    expect(app.sentMail).toEqual([])
    await wait(2 * MINUTE)
    expect(mails()).toEqual([[writer.email, 'Reopened: Raising Beds']])
    const [mail] = app.sentMail
    expect(mail?.text.replace(/key=[\w-]+/, 'key=KEY').split('\n\n')).toEqual([
      'Raising Beds',
      'Hello,',
      'Rowan Ashdown reopened this article today at 09:11:',
      '> Three small things about prices.\n> Then it is done.',
      '1 note in the text is open.',
      `Open the article:\nhttps://articles.example/client/article/${id}`,
      'As of 2 March 2026, 09:21. Open the article to see how it is now.',
      'Open it on a computer: Contūn Articles needs a window at least 1280 pixels wide.',
      'Powered by Moon & Owl. Questions? Write to support@contun.example.',
      [
        'You get this mail because you write for Larkspur Gardens.',
        'Change your mails: https://articles.example/client/profile',
        'Stop these mails: https://articles.example/mails/stop?key=KEY',
      ].join('\n'),
    ])
    expect(shownWords(mail?.html)).toEqual([
      'Rowan Ashdown reopened this article today at 09:11:',
      'Contūn Articles',
      'Raising Beds',
      'Hello,',
      'Rowan Ashdown reopened this article today at 09:11:',
      '‘Three small things about prices. Then it is done.’',
      '1 note in the text is open.',
      'Open the article',
      'As of 2 March 2026, 09:21. Open the article to see how it is now.',
      'Open it on a computer: Contūn Articles needs a window at least 1280 pixels wide.',
      'Powered by Moon &amp; Owl. Questions? Write to support@contun.example. You get this mail because you write for Larkspur Gardens. Change your mails · Stop these mails',
    ])
    await wait(30 * MINUTE)
    expect(app.sentMail).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['was completed again', () => complete()],
    ['was deleted', () => app.as(admin).delete(`/v1/articles/${id}`)],
    [
      'is of another client',
      () => app.as(admin).patch(`/v1/articles/admin/${id}`, { clientId: null }),
    ],
    [
      'is not theirs any more',
      () => app.as(admin).patch(`/v1/clients/${client.id}`, { users: [] }),
    ],
    ['has a deleted client', () => app.as(admin).delete(`/v1/clients/${client.id}`)],
    ['is not wanted by mail', () => choose(writer, 'daily')],
    [
      'is open on their screen',
      () => app.as(writer).put('/v1/presence', { articles: [{ id, writing: false, blocks: [] }] }),
    ],
  ])('is not sent when the article %s', async (_, change) => {
    await complete()
    await wait(11 * MINUTE)
    await reopen()
    await wait(5 * MINUTE)
    const answer = (await change()) as Response
    expect(answer.status).toBeLessThan(300)
    await wait(10 * MINUTE)
    expect(mails()).toEqual([])
  })

  it('is sent again for a reason that comes later', async () => {
    await complete()
    await reopen()
    await wait(11 * MINUTE)
    await why('The prices.')
    await wait(11 * MINUTE)
    expect(app.sentMail.map(({ text }) => text.includes('> The prices.'))).toEqual([false, true])
    expect(new Set(app.sentMail.map(({ messageId }) => messageId)).size).toBe(2)
    expect(new Set(app.sentMail.map(({ thread }) => thread)).size).toBe(1)
  })
})

describe('a mail about a hand-in', () => {
  it('goes to the admins who follow the client, and chose mails at once', async () => {
    const [daily, other] = [await app.user({ role: 'admin' }), await app.user({ role: 'admin' })]
    const elsewhere = await app.client({ name: 'Harbour' })
    await choose(admin, 'at-once', [client.id])
    await choose(daily, 'daily', [client.id])
    await choose(other, 'at-once', [elsewhere.id])
    await complete()
    await wait(11 * MINUTE)
    expect(mails()).toEqual([[admin.email, 'Handed in: Raising Beds']])
    const text = app.sentMail[0]?.text
    expect(text).toContain('Imogen Hale of Larkspur Gardens handed in this article today at 09:00.')
    expect(text).toContain('0 of at least 700 words · hand-in 1 of 1')
    expect(text).toContain('You get this mail because you follow Larkspur Gardens.')
  })

  it('is not sent to the admin who completed the article, or once it is reopened', async () => {
    await choose(admin, 'at-once', [client.id])
    await complete(admin)
    await wait(11 * MINUTE)
    await reopen()
    await complete()
    await reopen()
    await wait(11 * MINUTE)
    expect(mails()).toEqual([[writer.email, 'Reopened: Raising Beds']])
  })
})

describe('a mail about notes', () => {
  it('goes to those who took part, and not to their author', async () => {
    const reader = await app.user({ name: 'Rosa Winther' })
    await app.as(admin).patch(`/v1/clients/${client.id}`, { users: [writer.id, reader.id] })
    await choose(admin, 'at-once')
    await note(writer, marginNote('a'))
    await wait(11 * MINUTE)
    expect(mails()).toEqual([])
    await note(admin, { kind: 'answer', body: 'Twelve.', ref: 'b', to: 'a' })
    await wait(11 * MINUTE)
    await note(writer, { kind: 'answer', body: 'Thank you.', ref: 'c', to: 'a' })
    await note(writer, marginNote('d', 'And here?'))
    await wait(11 * MINUTE)
    expect(mails()).toEqual([
      [writer.email, 'Answer: Raising Beds'],
      [admin.email, '2 new notes: Raising Beds'],
    ])
    expect(app.sentMail[1]?.text).toContain(
      'Imogen Hale answered today at 09:22:\n\n> Thank you.\n\nImogen Hale wrote a note about ‘half the lamps’ today at 09:22:\n\n> And here?',
    )
  })

  it('leaves out what was done or taken back', async () => {
    await choose(admin, 'at-once')
    await note(admin, marginNote('a'))
    await note(writer, { kind: 'answer', body: 'Twelve.', ref: 'b', to: 'a' })
    await note(writer, marginNote('c'))
    await app.as(admin).patch(`/v1/articles/${id}/notes/a`, { done: true })
    await app.as(writer).patch(`/v1/articles/${id}/notes/c`, { takenBack: true })
    await wait(11 * MINUTE)
    expect(mails()).toEqual([])
    await app.as(admin).patch(`/v1/articles/${id}/notes/a`, { done: false })
    await note(writer, marginNote('d'))
    await wait(11 * MINUTE)
    expect(mails()).toEqual([[admin.email, 'New note: Raising Beds']])
  })
})

it('200 answers in an hour make at most seven mails, whose subjects count each answer once', async () => {
  await choose(admin, 'at-once')
  await choose(writer, 'none')
  await note(admin, marginNote('mine'))
  for (let at = 0; at < 200; at++) {
    await note(writer, { kind: 'answer', body: `Answer ${at}.`, ref: `r${at}`, to: 'mine' })
    await wait(18_000)
  }
  await wait(11 * MINUTE)
  expect(app.sentMail.length).toBeLessThanOrEqual(7)
  const counts = app.sentMail.map(({ subject }) => Number(/^\d+/.exec(subject)?.[0] ?? 1))
  expect(counts.reduce((sum, count) => sum + count)).toBe(200)
})

/** A first answer to a note of the admin, the only one who is mailed at once. */
async function answerAdmin() {
  await choose(admin, 'at-once')
  await choose(writer, 'none')
  await note(admin, marginNote('a'))
  await note(writer, { kind: 'answer', body: 'First.', ref: 'b', to: 'a' })
}

it('what comes while a mail is sent is in the next one, ten minutes later', async () => {
  await answerAdmin()
  const { mailer } = app.deps
  const { send } = mailer
  mailer.send = async (mail) => {
    mailer.send = send
    await note(writer, { kind: 'answer', body: 'Second.', ref: 'c', to: 'a' })
    await app.db.updateTable('article_news').set({ at: '2026-03-02T09:00:00.000Z' }).execute()
    await runOutbox(app.deps)
    await send(mail)
  }
  const answers = () =>
    app.sentMail.map(({ text }) => ['First.', 'Second.'].filter((words) => text.includes(words)))
  await wait(19 * MINUTE)
  expect(answers()).toEqual([['First.']])
  await wait(2 * MINUTE)
  expect(answers()).toEqual([['First.'], ['Second.']])
})

it('two mails about one article to one user are ten minutes apart, also after an outage', async () => {
  await answerAdmin()
  const { mailer } = app.deps
  const { send } = mailer
  const times: number[] = []
  mailer.send = () => Promise.reject(new Error('connection refused'))
  await wait(17 * MINUTE)
  await note(writer, { kind: 'answer', body: 'Second.', ref: 'c', to: 'a' })
  mailer.send = async (mail) => {
    times.push(app.clock.now())
    await send(mail)
  }
  await wait(5 * MINUTE)
  expect(app.sentMail).toHaveLength(1)
  await note(writer, { kind: 'answer', body: 'Third.', ref: 'd', to: 'a' })
  while (app.sentMail.length === 1) await wait(5_000)
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThanOrEqual(10 * MINUTE)
  expect(app.sentMail[1]?.subject).toMatch(/^(2 new notes|Answer)/)
})

it('names never become links, whatever they look like', async () => {
  const { default: markdown } = await import('markdown-it')
  const { linkify } = markdown({ linkify: true })
  linkify.set({ fuzzyIP: true }).tlds(['example', 'zip', 'app'], true)
  const names = [
    'www.prize.example',
    'https://prize.example/a',
    'you@prize.app',
    '//10.0.0.1/x.zip',
  ]
  for (const name of names) {
    const sender = await app.user({ name: `See ${name}`, role: 'admin' })
    const article = await app.article({ name: `On ${name}`, client })
    id = article.id
    await complete()
    await app.as(sender).patch(`/v1/articles/${id}`, { completed: false })
    await note(sender, { kind: 'reopened', body: `Go to ${name} now`, handIn: 1 })
  }
  await wait(11 * MINUTE)
  expect(app.sentMail).toHaveLength(names.length)
  for (const { subject, text, html } of app.sentMail) {
    const links = [subject, text, html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' ')]
      .flatMap((part) => linkify.match(part) ?? [])
      .map(({ url }) => url)
    const own = (url: string) => /^https:\/\/articles\.example|^mailto:support@contun/.test(url)
    expect(links.filter((url) => !own(url))).toEqual([])
  }
})

/** The words of the HTML, by paragraph. */
function shownWords(html = ''): string[] {
  return (/<body.*<\/body>/s.exec(html)?.[0] ?? '')
    .split(/<\/(?:p|h1|h2|td|div|li)>/)
    .map((part) =>
      part
        .replace(/<br>/g, ' ')
        .replace(/<[^>]*>/g, '')
        .trim(),
    )
    .filter(Boolean)
}
