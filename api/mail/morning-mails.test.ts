import { describe, expect, it } from 'vitest'
import { hourOfDay } from '../../domain/calendar/morning.ts'
import { createStandingCount } from '../progress/count-standing.ts'
import { createTestApp, TEST_START, type TestApp, type TestUser } from '../testing/test-app.ts'
import { runOutbox } from './outbox.ts'
import { queueMorningMails } from './queue-morning-mails.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const words = (count: number) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'word '.repeat(count) }] }],
})

async function world(timeZone = 'UTC') {
  const app = await createTestApp({
    config: { publicUrl: 'https://articles.example', timeZone, smtpUrl: 'smtp://127.0.0.1' },
  })
  const admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  const writer = await app.user({ name: 'Imogen Hale' })
  const client = await app.client({ name: 'Larkspur Gardens', users: [writer] })
  return { app, admin, writer, client }
}

/** Goes to this time, and looks for due mails for the minute that follows. */
async function until(app: TestApp, time: string) {
  app.clock.advance(Date.parse(time) - app.clock.now())
  await createStandingCount(app.deps)()
  await runOutbox(app.deps)
}
const due = (app: TestApp, admin: TestUser, id: string, dueOn: string) =>
  app.as(admin).put(`/v1/articles/${id}/plan`, { brief: '', dueOn })
const textTo = (app: TestApp, { email }: TestUser) =>
  app.sentMail
    .filter(({ to }) => to === email)
    .map(({ text }) => text.replace(/key=[\w-]+/, 'key=KEY'))

describe('the mail of the morning', () => {
  it('lists for a writer what is late, due, reopened and noted, each article once', async () => {
    const { app, admin, writer, client } = await world()
    const article = (name: string, count = 0) =>
      app.article({
        name,
        client,
        wordMinimum: 900,
        ...(count > 0 && { articleText: words(count) }),
      })
    const late = await article('Climbers for a North Wall', 48)
    const soon = await article('Gravel or Stone: Choosing a Path')
    const later = await article('What to Plant under a Birch')
    const reopened = await article('Raising Beds')
    const noted = await article('Hedges')
    await article('Nothing about this one')
    await due(app, admin, late.id, '2026-03-01')
    await due(app, admin, soon.id, '2026-03-03')
    await due(app, admin, later.id, '2026-03-07')
    await app.as(writer).patch(`/v1/articles/${reopened.id}`, { completed: true })
    app.clock.advance(1000)
    await app.as(admin).patch(`/v1/articles/${reopened.id}`, { completed: false })
    for (const { id } of [reopened, noted])
      await app.as(admin).post(`/v1/articles/${id}/notes`, {
        kind: 'note',
        body: 'Which one?',
        ref: 'a',
        anchor: { quote: 'x', before: '', after: '', block: 0, textVersion: 1 },
      })
    await app.as(writer).put(`/v1/users/${writer.id}/mails`, { choice: 'daily', follows: [] })
    await until(app, '2026-03-03T06:59:59Z')
    expect(app.sentMail).toEqual([])
    await until(app, '2026-03-03T07:00:00Z')
    const link = ({ id }: { id: string }) => `https://articles.example/client/article/${id}`
    expect(textTo(app, writer)).toEqual([
      `Your articles this morning

LATE

- Climbers for a North Wall
  Due 1 March, 2 days late · 48 of at least 900 words
  ${link(late)}

DUE WITHIN 3 DAYS

- Gravel or Stone: Choosing a Path
  Due today · not begun
  ${link(soon)}

REOPENED

- Raising Beds
  By Clara Whitlock, yesterday at 09:00 · 1 open note
  ${link(reopened)}

OPEN NOTES

- Hedges
  1 open note · not begun
  ${link(noted)}

Open my articles:
https://articles.example/

As of Tuesday, 3 March 2026, 07:00. Words still on your computer are not counted.

Powered by Moon & Owl. Questions? Write to support@contun.example.

You get this mail because you write for Larkspur Gardens.
Change your mails: https://articles.example/client/profile
Stop these mails: https://articles.example/mails/stop?key=KEY`,
    ])
    expect(app.sentMail.find(({ to }) => to === writer.email)?.subject).toBe(
      'Your articles: 1 late, 1 due soon, 1 reopened, 1 with open notes',
    )
    await until(app, '2026-03-03T07:30:00Z')
    expect(textTo(app, writer)).toHaveLength(1)
    await until(app, '2026-03-04T07:00:00Z')
    expect(textTo(app, writer)).toHaveLength(2)
  })

  it('lists for an admin what was handed in, is late, due, reopened or still', async () => {
    const { app, admin, writer, client } = await world()
    const still = await app.article({ name: 'Bulbs', client })
    const handedIn = await app.article({ name: 'Hedges', client, articleText: words(5) })
    app.clock.advance(8 * DAY)
    await app.as(writer).patch(`/v1/articles/${handedIn.id}`, { completed: true })
    const late = await app.article({ name: 'Climbers', client })
    await due(app, admin, late.id, '2026-03-01')
    await until(app, '2026-03-11T07:00:00Z')
    expect(textTo(app, admin)[0]?.split('\n\n').slice(0, 7)).toEqual([
      'The articles this morning',
      'HANDED IN SINCE YESTERDAY MORNING',
      `- Hedges\n  Imogen Hale, yesterday at 09:00 · 5 words\n  https://articles.example/client/article/${handedIn.id}`,
      'LATE',
      `- Climbers\n  10 days late · Larkspur Gardens · not begun\n  https://articles.example/client/article/${late.id}`,
      'NO NEW WORDS FOR 7 DAYS',
      `- Bulbs\n  Larkspur Gardens · not begun, created 2 March 2026\n  https://articles.example/client/article/${still.id}`,
    ])
  })

  it('is not sent without a line, without a wish, or for what the reader may not read', async () => {
    const { app, admin, writer, client } = await world()
    const { id } = await app.article({ client })
    await due(app, admin, id, '2026-03-03')
    const other = await app.user()
    const none = await app.user()
    await app.as(admin).patch(`/v1/clients/${client.id}`, { users: [none.id] })
    await app.as(none).put(`/v1/users/${none.id}/mails`, { choice: 'none', follows: [] })
    await until(app, '2026-03-03T07:00:00Z')
    for (const person of [writer, other, none]) expect(textTo(app, person)).toEqual([])
    expect(textTo(app, admin)).toHaveLength(1)
  })

  it('is not sent to a reader who stopped mails while it waited', async () => {
    const { app, admin, writer, client } = await world()
    await due(app, admin, (await app.article({ client })).id, '2026-03-03')
    app.clock.advance(Date.parse('2026-03-03T07:00:00Z') - app.clock.now())
    await queueMorningMails(app.deps)
    await app.as(writer).put(`/v1/users/${writer.id}/mails`, { choice: 'none', follows: [] })
    await runOutbox(app.deps)
    expect(textTo(app, writer)).toEqual([])
    expect(textTo(app, admin)).toHaveLength(1)
  })

  it('has 20 lines, and counts the rest', async () => {
    const { app, admin, writer, client } = await world()
    for (let at = 0; at < 26; at++)
      await due(
        app,
        admin,
        (await app.article({ client })).id,
        at < 13 ? '2026-03-01' : '2026-03-04',
      )
    await until(app, '2026-03-03T07:00:00Z')
    const [text = ''] = textTo(app, writer)
    expect(text.match(/^- /gm)).toHaveLength(20)
    expect(text).toContain('and 6 more:\nhttps://articles.example/\n')
  })

  it('is sent late where the server was away, and not in the evening', async () => {
    const { app, admin, writer, client } = await world()
    await due(app, admin, (await app.article({ client })).id, '2026-03-01')
    await until(app, '2026-03-03T14:59:00Z')
    expect(textTo(app, writer)[0]).toContain('As of Tuesday, 3 March 2026, 14:59.')
    await until(app, '2026-03-04T15:00:00Z')
    expect(textTo(app, writer)).toHaveLength(1)
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-29T05:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T12:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T20:00:00Z'],
  ])('comes at 7:00 in %s on the day when clocks change', async (zone, day, time) => {
    expect(hourOfDay(zone, day, 7)).toBe(Date.parse(time))
    const { app, admin, writer, client } = await world(zone)
    await due(app, admin, (await app.article({ client })).id, '2026-03-01')
    await until(app, new Date(Date.parse(time) - 1).toISOString())
    expect(app.sentMail).toEqual([])
    await until(app, time)
    expect(textTo(app, writer)).toHaveLength(1)
    for (let hours = 0; hours < 23; hours++) {
      app.clock.advance(HOUR)
      await runOutbox(app.deps)
    }
    expect(textTo(app, writer)).toHaveLength(1)
  })

  it('is one, whichever of two nodes queues it', async () => {
    const { app, admin, writer, client } = await world()
    await due(app, admin, (await app.article({ client })).id, '2026-03-01')
    app.clock.advance(Date.parse('2026-03-03T07:00:00Z') - TEST_START)
    await Promise.all([runOutbox(app.deps), runOutbox(app.deps), runOutbox(app.deps)])
    expect(textTo(app, writer)).toHaveLength(1)
  })
})
