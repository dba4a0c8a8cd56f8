import { beforeEach, expect, test } from 'vitest'
import type { LocalDatabase, OutboxRow } from '../store/database.ts'
import { docRow } from '../store/doc-rows.ts'
import { readDraft } from '../store/draft-rows.ts'
import { measure } from '../store/measured-text.ts'
import { createWorld, doc } from '../testing/test-world.ts'
import { type DraftWrite, openDraft, writeDraft } from './drafts.ts'
import { saveTyped } from './typed-save.ts'

/** The quick save may only do what `writeDraft` would do, and leaves everything else to it. */

const KEY = 'k1'

let database: LocalDatabase
/** What this page writes as it types on in a text that waits in the queue under its key. */
let write: DraftWrite

beforeEach(async () => {
  ;({ database } = await createWorld())
  await database.meta.put({ key: 'serverEpoch', value: 'e1' })
  await database.docs.put(docRow({ articleId: 'a1', textVersion: 4, ...measure(doc('one')) }))
  const opened = await openDraft(database, 'a1')
  if (!opened) throw new Error('No text')
  const first = {
    seenRev: opened.localRev,
    seenDoc: opened.doc,
    base: opened,
    mine: doc('one two'),
  }
  const { draft } = await writeDraft(database, writeOf({ ...first, unusedIdem: null }))
  write = writeOf({
    seenRev: draft.localRev,
    seenDoc: draft.doc,
    base: draft,
    mine: doc('one two three'),
    unusedIdem: KEY,
  })
})

type Given = Pick<DraftWrite, 'seenRev' | 'seenDoc' | 'base' | 'unusedIdem'> & {
  mine: ReturnType<typeof doc>
}

function writeOf({ mine, ...given }: Given): DraftWrite {
  return {
    ...given,
    articleId: 'a1',
    mine: measure(mine),
    epoch: 'e1',
    baseIsNewer: false,
    idem: KEY,
    mergedIdem: 'k-merged',
    editedAt: 2_000,
  }
}

async function everything(): Promise<unknown[]> {
  const { drafts, texts, outbox, docs, meta } = database
  return Promise.all([drafts, texts, outbox, docs, meta].map((table) => table.toArray()))
}

const onItsWay = async (change: Partial<OutboxRow> = {}) => {
  const waiting = (await database.outbox.toCollection().first()) as OutboxRow
  await database.outbox.put({
    ...waiting,
    idem: 'k0',
    state: 'inflight',
    frozen: '{}',
    frozenHash: 'of what was sent',
    ...change,
  })
  await database.outbox.add({ ...waiting, seq: waiting.seq + 1 })
}

test.each([
  ['alone', () => {}],
  ['behind what is on its way', onItsWay],
])('%s, writes what the long way writes, and answers the same', async (_, change) => {
  await change()
  const before = await everything()
  const quick = await saveTyped(database, write)
  const written = await everything()
  await database.drafts.clear()
  await database.texts.clear()
  const [drafts, texts] = before as [never[], never[]]
  await database.drafts.bulkAdd(drafts)
  await database.texts.bulkAdd(texts)
  // A key that is not its own makes it go the long way; the entry keeps the one that it has.
  const long = await writeDraft(database, { ...write, unusedIdem: null })
  expect(quick).not.toBeNull()
  expect(quick).toEqual(long)
  expect(written).toEqual(await everything())
  expect((await readDraft(database, 'a1'))?.doc).toEqual(doc('one two three'))
})

const entry = (change: Partial<OutboxRow>) => () => database.outbox.toCollection().modify(change)

test.each<[string, () => unknown]>([
  ['there is no row', () => database.drafts.clear()],
  ['another tab wrote', () => database.drafts.update('a1', { localRev: write.seenRev + 1 })],
  ['it grew from another text', () => database.drafts.update('a1', { baseHash: 'other' })],
  ['it is what it grew from', () => database.drafts.update('a1', { hash: write.base.baseHash })],
  ['the data are of another history', () => database.meta.put({ key: 'serverEpoch', value: 'e2' })],
  ['nothing is queued', () => database.outbox.clear()],
  ['it waits under another key', entry({ idem: 'other' })],
  ['it is on its way', entry({ state: 'inflight', frozen: '{}' })],
  ['its bytes are fixed', entry({ frozen: '{}' })],
  ['it is held', entry({ state: 'held' })],
  ['it may have been sent', entry({ maybeSent: true })],
  ['it is due later, without a pause', entry({ patient: 0, nextAt: 9_000 })],
  ['only a completion waits', entry({ kind: 'control', completed: true })],
  ['just this text is on its way', () => onItsWay({ frozenHash: write.mine.hash })],
  ['it waits behind what is held', () => onItsWay({ state: 'held' })],
  ['it waits behind what waits to be asked for', () => onItsWay({ state: 'pending' })],
  [
    'a completion waits behind it',
    async () => {
      const { seq, ...text } = (await database.outbox.toCollection().first()) as OutboxRow
      await database.outbox.add({ ...text, kind: 'control', completed: true })
    },
  ],
])('leaves all as it is when %s', async (_, change) => {
  await change()
  const before = await everything()
  expect(await saveTyped(database, write)).toBeNull()
  expect(await everything()).toEqual(before)
})

test.each<[string, Partial<DraftWrite>]>([
  ['the server took text past the database', { baseIsNewer: true }],
  ['the text may have been sent', { maybeSent: true }],
  ['its key was used', { unusedIdem: null }],
])('is not for a write of which %s', async (_, change) => {
  const before = await everything()
  expect(await saveTyped(database, { ...write, ...change })).toBeNull()
  expect(await everything()).toEqual(before)
})

test('a handle that is closed is left to the library', async () => {
  database.backendDB().close()
  expect(await saveTyped(database, write)).toBeNull()
})

test('what cannot be written fails as it is, and nothing is written', async () => {
  const broken = { ...write, mine: { ...write.mine, words: () => 1 } } as unknown as DraftWrite
  const before = await everything()
  await expect(saveTyped(database, broken)).rejects.toMatchObject({ name: 'DataCloneError' })
  expect(await everything()).toEqual(before)
})

test('a write that nobody waits for any more writes nothing', async () => {
  const before = await everything()
  await expect(saveTyped(database, { ...write, isGivenUp: () => true })).rejects.toThrow('Given up')
  expect(await everything()).toEqual(before)
})
