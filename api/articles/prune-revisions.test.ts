import { beforeEach, describe, expect, it } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { noMaintenance } from '../database/maintenance.ts'
import { jobs } from '../process/housekeeping.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'
import { deleteArticle, restoreArticle } from './deleted-article-rows.ts'
import { createPruning } from './prune-revisions.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const text = (words: string): ArticleDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: words ? [{ type: 'text', text: words }] : [] }],
})
const SENTENCES = Array.from(
  { length: 6 },
  (_, at) => `In sentence ${at} the light is by the gate of the garden.`,
)

let app: TestApp
let admin: TestUser
let writer: TestUser
let id: string

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Ada Ferris', role: 'admin' })
  writer = await app.user({ name: 'Imogen Hale' })
  const client = await app.client({ users: [writer] })
  id = (await app.article({ client, articleText: text('First words.') })).id
})

const patch = (body: object, person = writer, headers: Record<string, string> = {}) =>
  app.as(person).patch(`/v1/articles/${id}`, body, headers)

/** Saves as our client does, based on the current version. */
async function type(words: string, ms = 2 * MINUTE) {
  const { version, textVersion } = await (await app.as(writer).get(`/v1/articles/${id}`)).json()
  const ifMatch = { 'if-match': `"v${version}.t${textVersion}"` }
  expect((await patch({ articleText: text(words) }, writer, ifMatch)).status).toBe(200)
  app.clock.advance(ms)
}

/** Runs the ten-minute jobs of the server, as after a start. */
async function round() {
  for (const { everyMs, run } of jobs(app.deps, noMaintenance)) {
    if (everyMs === 10 * MINUTE) await run()
  }
}

const timeline = async () => {
  const list = await (await app.as(writer).get(`/v1/articles/${id}/revisions?limit=100`)).json()
  return list.results.map(
    (one: { textVersion: number; reason: string }) => `${one.textVersion} ${one.reason}`,
  )
}

/** The words of a version, null when there is none. */
async function wordsOf(version: number): Promise<string | null> {
  const answer = await app.as(writer).get(`/v1/articles/${id}/revisions/${version}`)
  return answer.status === 200 ? plainText((await answer.json()).articleText) : null
}

const keptTexts = async () => {
  const rows = await app.db
    .selectFrom('article_revisions')
    .select('article_text')
    .where('article_id', '=', id)
    .orderBy('text_version')
    .execute()
  return rows.map((row) => plainText(JSON.parse(row.article_text)))
}

describe('a round of pruning', () => {
  it('deletes autosaves whose text is in a kept revision, never text that a plain write removed', {
    tags: ['@fault-24'],
  }, async () => {
    for (const words of ['One.', 'One. Two three.', 'One. Two three. Four five six.']) {
      await type(words)
    }
    await patch({ articleText: text('An old copy.') })
    for (const words of ['An old copy. Again.', 'An old copy. Again. And more.']) await type(words)
    app.clock.advance(10 * MINUTE)
    await round()
    expect(await timeline()).toEqual(['7 autosave', '5 plain', '4 autosave', '1 created'])
    expect(await wordsOf(4)).toBe('One. Two three. Four five six.')
  })

  it('counts "whatever is there" as a plain write', async () => {
    await type('My words.')
    await patch({ articleText: text('An old copy.') }, writer, { 'if-match': '*' })
    expect((await timeline())[0]).toBe('3 plain')
    app.clock.advance(10 * MINUTE)
    await round()
    expect(await timeline()).toHaveLength(3)
  })

  it('six saved sentences survive select all, delete', { tags: ['@fault-69'] }, async () => {
    for (let count = 1; count <= 6; count += 1) {
      await type(SENTENCES.slice(0, count).join(' '), 20_000)
    }
    await type('', 20_000)
    await type('', 10 * MINUTE)
    await round()
    expect(await keptTexts()).toEqual(['First words.', SENTENCES.join(' '), ''])
    const restored = await app.as(writer).post(`/v1/articles/${id}/revisions/7/restore`)
    expect(restored.status).toBe(200)
    expect(await wordsOf(9)).toBe(SENTENCES.join(' '))
  })

  it.each([
    ['at once', 5_000],
    ['after two minutes', 2 * MINUTE],
  ])(
    'a text survives its replacement by as many words %s',
    { tags: ['@fault-69'] },
    async (_, ms) => {
      const [old, other] = [
        SENTENCES.join(' '),
        SENTENCES.join(' ').replaceAll('garden', 'harbour'),
      ]
      await type(old, ms)
      await type(other.split(' ').toReversed().join(' '), 10_000)
      await type('Another text altogether.', 10 * MINUTE)
      await round()
      expect(await wordsOf(2)).toBe(old)
    },
  )

  it.each([
    ['written on', `${SENTENCES.join(' ')} And more.`],
    ['replaced', 'Another text.'],
  ])(
    'what was handed in stays when the text is reopened and %s',
    { tags: ['@fault-70'] },
    async (_, next) => {
      await type(SENTENCES.slice(0, 5).join(' '), 20_000)
      await type(SENTENCES.join(' '), 20_000)
      expect((await patch({ completed: true })).status).toBe(200)
      expect((await patch({ completed: false }, admin)).status).toBe(200)
      await type(next, 20_000)
      await type(`${next} Still more.`, 20_000)
      app.clock.advance(10 * MINUTE)
      await round()
      expect(await wordsOf(3)).toBe(SENTENCES.join(' '))
      expect(await timeline()).toContain('3 autosave')
      expect(await timeline()).not.toContain('2 autosave')
    },
  )

  it('so does what a completion brought with it, and each text that was handed in', {
    tags: ['@fault-70'],
  }, async () => {
    for (const words of ['One two three.', 'One two three. Four five six.']) {
      const { version, textVersion } = await (await app.as(writer).get(`/v1/articles/${id}`)).json()
      const ifMatch = { 'if-match': `"v${version}.t${textVersion}"` }
      await patch({ articleText: text(words), completed: true }, writer, ifMatch)
      await patch({ completed: false }, admin)
      app.clock.advance(10_000)
    }
    await type('One two three. Four five six. Seven.', 10 * MINUTE)
    await round()
    expect(await timeline()).toEqual(['4 autosave', '3 autosave', '2 autosave', '1 created'])
    const rows = await app.db
      .selectFrom('hand_ins')
      .select(['number', 'text_version'])
      .orderBy('number')
      .execute()
    expect(rows).toEqual([
      { number: 1, text_version: 2 },
      { number: 2, text_version: 3 },
    ])
  })

  it('an article that was deleted and brought back has them too', {
    tags: ['@fault-70'],
  }, async () => {
    await type(SENTENCES.join(' '), 20_000)
    await patch({ completed: true })
    await patch({ completed: false }, admin)
    await type(`${SENTENCES.join(' ')} More.`, 20_000)
    const now = app.clock.now() + 10 * MINUTE
    await app.db.transaction().execute(async (db) => {
      await deleteArticle(db, id, { now, deletedBy: admin.id })
      await restoreArticle(db, id, now)
    })
    app.clock.advance(20 * MINUTE)
    await round()
    expect(await wordsOf(2)).toBe(SENTENCES.join(' '))
  })

  it('looks at no ten minutes before they are over, and at each once', async () => {
    const prune = createPruning(app.deps)
    for (const words of ['One', 'One two', 'One two three']) await type(words)
    await prune()
    expect(await timeline()).toHaveLength(4)
    app.clock.advance(4 * MINUTE)
    await prune()
    expect(await timeline()).toEqual(['4 autosave', '1 created'])
    await type('One two three four', 10 * MINUTE)
    await prune()
    expect(await timeline()).toEqual(['5 autosave', '4 autosave', '1 created'])
  })

  it('begins again when the clock was ahead', async () => {
    const prune = createPruning(app.deps)
    app.clock.advance(365 * DAY)
    await prune()
    app.clock.advance(-365 * DAY)
    for (const words of ['One', 'One two', 'One two three']) await type(words)
    app.clock.advance(10 * MINUTE)
    await prune()
    expect(await timeline()).toEqual(['4 autosave', '1 created'])
  })

  it('goes through every article that changed in the two weeks before the server started', async () => {
    const client = await app.client({ users: [writer] })
    for (let index = 0; index < 60; index += 1) id = (await app.article({ client })).id
    for (const words of ['One', 'One two', 'One two three']) await type(words)
    app.clock.advance(13 * DAY)
    await round()
    expect(await keptTexts()).toEqual(['', 'One two three'])
  })

  it('compares long texts a few at a time, and keeps one where it cuts', async () => {
    const long = 'word '.repeat(190_000)
    for (let at = 1; at < 14; at += 1) await type(`${long}${'more '.repeat(at)}end`, 30_000)
    app.clock.advance(10 * MINUTE)
    await round()
    expect(await timeline()).toEqual(['14 autosave', '10 autosave', '1 created'])
  })

  it('stops between two articles when the server stops', async () => {
    for (const words of ['One', 'One two', 'One two three']) await type(words)
    app.clock.advance(10 * MINUTE)
    const state = { draining: true }
    const prune = createPruning({ ...app.deps, isDraining: () => state.draining })
    await prune()
    expect(await timeline()).toHaveLength(4)
    state.draining = false
    await prune()
    expect(await timeline()).toHaveLength(2)
  })
})
