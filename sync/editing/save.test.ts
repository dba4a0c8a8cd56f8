import { Dexie, liveQuery } from 'dexie'
import { IDBObjectStore } from 'fake-indexeddb'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import { readDraft } from '../store/draft-rows.ts'
import { abortAll } from '../store/open-transactions.ts'
import {
  createOpenArticle,
  doc,
  type FakeEditor,
  type Tab,
  type World,
} from '../testing/test-world.ts'
import type { OpenText } from './editor-session.ts'

/** The requests of one save to the local database, including those that it must not omit. */

let world: World
let tab: Tab
let editor: FakeEditor
let text: OpenText

beforeEach(async () => {
  ;({ world, tab, editor, text } = await createOpenArticle())
})

async function save(words: string): Promise<void> {
  editor.type(words)
  await text.flush()
}

const patches = () => world.server.patches().filter((line) => line.includes('PATCH'))

/** The requests to the tables, recorded below Dexie. */
function watchRequests(): string[] {
  const log: string[] = []
  for (const kind of ['get', 'getAll', 'openCursor', 'put', 'add', 'delete'] as const) {
    const original = IDBObjectStore.prototype[kind] as (...given: unknown[]) => never
    vi.spyOn(IDBObjectStore.prototype, kind).mockImplementation(function (
      this: IDBObjectStore,
      ...given: unknown[]
    ) {
      log.push(`${kind} ${this.name}`)
      return original.apply(this, given)
    })
  }
  onTestFinished(() => void vi.restoreAllMocks())
  return log
}

test('further typing writes the draft and its text, and neither reads a text nor touches the outbox', {
  tags: ['@SY-06'],
}, async () => {
  await save(' two')
  await world.settle()
  const log = watchRequests()
  await save(' three')
  expect(log).toEqual(['get drafts', 'get meta', 'put drafts', 'put texts'])
  expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two three'))
})

test('further typing without a connection costs no more, also behind a request in flight', {
  tags: ['@SY-06'],
}, async () => {
  world.server.offline = true
  await save(' two')
  await world.pass(3_000)
  await save(' three')
  await world.settle()
  const log = watchRequests()
  await save(' four')
  expect(log).toEqual(['get drafts', 'get meta', 'put drafts', 'put texts'])
  expect(await world.database.outbox.toArray()).toMatchObject([
    { state: 'inflight', key: 'k1' },
    { state: 'pending', sentHash: null },
  ])
})

test('listeners of the draft are notified of each save', async () => {
  const told: (string | undefined)[] = []
  const watching = liveQuery(() => readDraft(world.database, 'a1')).subscribe((draft) =>
    told.push(draft && plainText(draft.doc)),
  )
  onTestFinished(() => watching.unsubscribe())
  await save(' two')
  await expect.poll(() => told.at(-1)).toBe('one two')
  await save(' three')
  await expect.poll(() => told.at(-1)).toBe('one two three')
})

test('the text is sent a second after the last edit, also when the outbox was read in that time', {
  tags: ['@SY-07'],
}, async () => {
  for (let words = 0; words < 5; words += 1) {
    await save(' more')
    await world.pass(600)
  }
  expect(patches()).toEqual([])
  await world.pass(600)
  expect(patches()).toHaveLength(1)
  expect(world.server.words('a1')).toBe('one more more more more more')
})

test('reading the outbox during typing writes nothing to it', {
  tags: ['@SY-07'],
}, async () => {
  await save(' two')
  const written: unknown[] = []
  world.database.outbox.hook('updating', (changes) => void written.push(changes))
  for (let words = 0; words < 8; words += 1) {
    await world.pass(500)
    await save(' more')
  }
  expect(written).toEqual([])
  await world.pass(1_200)
  expect(patches()).toHaveLength(1)
})

test('a failed request is retried on schedule during typing', {
  tags: ['@SY-08'],
}, async () => {
  world.server.fates = [{ status: 503, json: {} }]
  await save(' two')
  await world.pass(1_000)
  expect(patches()).toHaveLength(1)
  for (let words = 0; words < 8; words += 1) {
    await save(' more')
    await world.pass(400)
  }
  expect(patches()).toHaveLength(1)
})

test('text is sent also when the writer never pauses', { tags: ['@SY-07'] }, async () => {
  for (let words = 0; words < 30; words += 1) {
    await save(' more')
    await world.pass(500)
  }
  expect(patches().length).toBeGreaterThan(0)
})

test('the key of a keepalive save is never used for a later text', {
  tags: ['@SY-08'],
}, async () => {
  world.server.fates = ['lost']
  await save(' two')
  await save(' three')
  text.saveExitSnapshot()
  await save(' four')
  await world.pass(3_000)
  expect(patches().map((line) => line.replace(/^\d+ /, ''))).toEqual([
    'PATCH a1 t1 "one two three" k1',
    'PATCH a1 t1 "one two three four" k2',
  ])
})

test('a clock that was set back delays no text', {
  tags: ['@SY-05'],
}, async () => {
  await save(' two')
  await world.database.drafts.update('a1', { editedAt: world.clock.now() + 15 * 3_600_000 })
  await world.pass(3_000)
  expect(world.server.words('a1')).toBe('one two')
})

test('a draft equal to the server’s text stores it once, and an edited draft stores both', {
  tags: ['@SY-05'],
}, async () => {
  const rows = async () =>
    (await world.database.texts.toArray()).map(({ role, json }) => [
      role,
      plainText(JSON.parse(json)),
    ])
  const grewFrom = async () => plainText((await readDraft(world.database, 'a1'))?.baseDoc ?? {})
  expect(await rows()).toEqual([['draft', 'one']])
  await save(' two')
  expect(await rows()).toEqual([
    ['base', 'one'],
    ['draft', 'one two'],
  ])
  await world.pass(3_000)
  expect(world.server.words('a1')).toBe('one two')
  expect(await grewFrom()).toBe('one two')
  await save(' three')
  await save(' four')
  expect(await rows()).toEqual([
    ['base', 'one two'],
    ['draft', 'one two three four'],
  ])
  expect(await grewFrom()).toBe('one two')
})

test('an outdated base is an error, not the base of the draft', {
  tags: ['@SY-05'],
}, async () => {
  await save(' two')
  await world.database.drafts.update('a1', { baseHash: 'that of another text' })
  await expect(readDraft(world.database, 'a1')).rejects.toThrow('lost its text')
})

test('a draft without its text is an error, not an empty text', { tags: ['@SY-05'] }, async () => {
  await world.database.texts.clear()
  await expect(readDraft(world.database, 'a1')).rejects.toThrow('lost its text')
})

test('a text that was opened here before opens during a write', {
  tags: ['@BA-05'],
}, async () => {
  const other = await world.tab('other')
  let release = () => {}
  const writing = world.database.transaction('rw', world.database.outbox, () =>
    Dexie.waitFor(new Promise<void>((resolve) => (release = resolve))),
  )
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('too late'), 2_000))
  const opened = await Promise.race([other.client.open('a1'), late])
  release()
  await writing
  expect(opened).toMatchObject({ articleId: 'a1', document: doc('one') })
})

test.each([0, 1, 2, 3])(
  'a save that is aborted after %i steps by suspending the page is written and sent later',
  { tags: ['@fault-80'] },
  async (steps) => {
    await save(' two')
    editor.type(' three')
    const saving = text.flush().catch(() => {})
    for (let step = 0; step < steps; step++) await new Promise((next) => setImmediate(next))
    abortAll(world.database.transactions)
    await saving
    tab.client.wake()
    await world.pass(10_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two three'))
    expect(world.server.words('a1')).toBe('one two three')
  },
)
