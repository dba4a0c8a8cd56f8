import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, describe, expect, test } from 'vitest'
import type { KeptVersion } from '../../domain/writing/writing-record.ts'
import { NoAnswer, type Send } from '../ports.ts'
import { type LocalDatabase, openLocalDatabase } from '../store/database.ts'
import { openDraft } from '../store/draft-rows.ts'
import { docRow } from '../store/server-docs.ts'
import { measure } from '../store/text-stats.ts'
import { answer, errorBody } from '../testing/test-server.ts'
import { doc } from '../testing/test-world.ts'
import { readKeptVersions } from './kept-versions.ts'
import { fetchServerText } from './server-revisions.ts'

let database: LocalDatabase

beforeEach(() => {
  database = openLocalDatabase('u1', { indexedDB: new IDBFactory(), IDBKeyRange })
})

const TEXTS = ['One.', 'One two.', 'One two three.', 'One two three four.']

/** The server's history, of which each version has a word more. `broken` versions have this status. */
function createServer(broken: Record<number, number> = {}) {
  const server = { asked: 0, isDown: false }
  const mark = (textVersion: number) => ({
    textVersion,
    words: textVersion,
    author: { id: 'ida', name: 'Ida' },
    reason: 'autosave',
    handIn: textVersion === 3 ? 1 : null,
    createdAt: new Date(textVersion * 60_000).toISOString(),
  })
  const send: Send = async ({ path }) => {
    if (server.isDown) throw new NoAnswer()
    const version = Number(/\/revisions\/(\d+)$/.exec(path)?.[1])
    if (Number.isNaN(version))
      return answer(200, { results: [4, 3, 2, 1].map(mark), totalPages: 1 })
    server.asked += 1
    const status = broken[version]
    if (status !== undefined) return answer(status, errorBody(status, 'No'))
    return answer(200, { ...mark(version), articleText: doc(TEXTS[version - 1] ?? '') })
  }
  return { server, send }
}

async function read(send: Send, until: number | null = null) {
  const taken: KeptVersion[] = []
  const reading = await readKeptVersions({
    send,
    database,
    articleId: 'a1',
    until,
    take: (version) => taken.push(version),
    isOver: () => false,
  })
  return { reading, taken, texts: taken.map(({ text }) => text) }
}

describe('the kept versions of a text', { tags: ['@HI-01'] }, () => {
  test('are fetched up to a hand-in, the oldest first, and not stored', async () => {
    const { send } = createServer()
    const { reading, taken, texts } = await read(send, 3)
    expect(reading).toBe('whole')
    expect(texts).toEqual(TEXTS.slice(0, 3))
    expect(taken[2]).toEqual({
      at: 180_000,
      textVersion: 3,
      author: 'Ida',
      handIn: 1,
      words: 3,
      text: 'One two three.',
    })
    expect((await database.serverRevs.toArray()).every(({ text }) => text === null)).toBe(true)
  })

  test('end with the current text of this computer', async () => {
    const { send } = createServer()
    await database.docs.put(docRow({ articleId: 'a1', textVersion: 4, ...measure(doc('Mine.')) }))
    await openDraft(database, 'a1')
    await database.docs.put(
      docRow({ articleId: 'a1', textVersion: 4, ...measure(doc(TEXTS[3] ?? '')) }),
    )
    const { taken } = await read(send)
    expect(taken.map(({ textVersion }) => textVersion)).toEqual([1, 2, 3, 4, null])
    expect(taken.at(-1)?.text).toBe('Mine.')
  })

  test('are those of this computer without a connection', async () => {
    const { server, send } = createServer()
    await fetchServerText(send, database, 'a1', 2)
    server.isDown = true
    expect(await read(send)).toMatchObject({ reading: 'partly', texts: ['One two.'] })
  })

  test('leave out one that was deleted since', async () => {
    const { send } = createServer({ 2: 404 })
    const { reading, texts } = await read(send)
    expect([reading, texts]).toEqual(['whole', TEXTS.filter((_, index) => index !== 1)])
  })

  test('are none where the server refuses', async () => {
    const { send } = createServer({ 2: 429 })
    expect((await read(send)).reading).toBe('failed')
  })
})
