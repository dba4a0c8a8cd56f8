import { expect, it } from 'vitest'
import { createTestApp, type TestUser } from '../testing/test-app.ts'
import { runOutbox } from './outbox.ts'

const MINUTE = 60_000
const EVENTS = 200
const PAUSE_MS = (60 * MINUTE) / EVENTS
const NAMES = ['Late', 'Soon', 'Reopened', 'Noted'] as const
const ANCHOR = { quote: 'x', before: '', after: '', block: 0, textVersion: 1 }

async function world() {
  const app = await createTestApp({
    config: { accessTokenMinutes: 48 * 60, smtpUrl: 'smtp://127.0.0.1' },
  })
  const admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  const writer = await app.user({ name: 'Imogen Hale' })
  const client = await app.client({ name: 'Larkspur Gardens', users: [writer] })
  const articles: { id: string; name: string }[] = []
  for (const name of NAMES) articles.push(await app.article({ name, client }))
  const note = (person: TestUser, id: string, body: object) =>
    app.as(person).post(`/v1/articles/${id}/notes`, body)
  const due = (id: string | undefined, dueOn: string) =>
    app.as(admin).put(`/v1/articles/${id}/plan`, { brief: '', dueOn })
  await due(articles[0]?.id, '2026-03-01')
  await due(articles[1]?.id, '2026-03-05')
  for (const { id } of articles)
    await note(writer, id, { kind: 'note', body: 'Like this?', ref: 'mine', anchor: ANCHOR })
  return { app, admin, writer, articles, note }
}
type World = Awaited<ReturnType<typeof world>>

/** The admin writes a note, answers one or reopens an article. The article 'Noted' is never handed in. */
async function happen({ app, admin, writer, articles, note }: World, number: number) {
  const { id = '', name } = articles[number % NAMES.length] ?? {}
  const turn = Math.floor(number / NAMES.length) % 3
  const ref = `r${number}`
  if (turn === 0) return note(admin, id, { kind: 'note', body: 'Shorter.', ref, anchor: ANCHOR })
  if (turn === 1 || name === 'Noted')
    return note(admin, id, { kind: 'answer', body: 'Yes.', ref, to: 'mine' })
  await app.as(writer).patch(`/v1/articles/${id}`, { completed: true })
  return app.as(admin).patch(`/v1/articles/${id}`, { completed: false })
}

it('200 events in an hour make one mail an article in ten minutes, and the next morning has all that is open', async () => {
  const w = await world()
  const { app, writer } = w
  const sent: { article: string; at: number }[] = []
  /** Returns the mails to the writer that leave at the end of this time. */
  const after = async (ms: number) => {
    app.clock.advance(ms)
    await runOutbox(app.deps)
    return app.sentMail.splice(0).filter(({ to }) => to === writer.email)
  }
  const letPass = async (ms: number) => {
    for (const { subject } of await after(ms))
      sent.push({ article: subject.split(': ')[1] ?? '', at: app.clock.now() })
  }
  for (let number = 0; number < EVENTS; number++) {
    expect((await happen(w, number)).status).toBeLessThan(300)
    await letPass(PAUSE_MS)
  }
  for (let minute = 0; minute < 30; minute++) await letPass(MINUTE)

  for (const name of NAMES) {
    const times = sent.filter(({ article }) => article === name).map(({ at }) => at)
    // From ten minutes after the first event until ten after the last.
    expect(times.length).toBeGreaterThan(0)
    expect(times.length).toBeLessThanOrEqual(7)
    for (const [at, time] of times.entries())
      if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE)
  }
  const [morning] = await after(Date.parse('2026-03-03T07:00:00Z') - app.clock.now())
  expect(morning?.text.match(/^- .+\n .+/gm)).toEqual([
    '- Late\n  Due 1 March, 2 days late · not begun · 18 open notes',
    '- Soon\n  Due Thursday, 5 March · not begun · 18 open notes',
    '- Reopened\n  By Clara Whitlock, yesterday at 09:57 · 18 open notes',
    '- Noted\n  18 open notes · not begun',
  ])
})
