import { beforeEach, describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import { storeTexts } from '../pull/store-pulled.ts'
import { serverText } from '../push/server-state.ts'
import { readArticleView } from '../status/article-view.ts'
import {
  createOpenArticle,
  doc,
  type FakeEditor,
  type Tab,
  type World,
} from '../testing/test-world.ts'
import type { OpenText } from './editor-session.ts'
import { readOpening } from './opening.ts'

/** The browser deleted the database; the exit snapshot outside it is the only copy on this device. */
let world: World
let tab: Tab
let editor: FakeEditor
let text: OpenText

beforeEach(async () => {
  ;({ world, tab, editor, text } = await createOpenArticle())
})

/** The tab is closed while the device is offline, then the browser deletes its database. */
async function leaveAndDrop() {
  world.server.offline = true
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  await Promise.all(world.database.tables.map((table) => table.clear()))
  expect(world.database.snapshotStore?.length).toBe(1)
}

const comesBack = () => {
  world.server.offline = false
}

test.each([
  [' b', 'efore the reload'],
  [' two b', 'efore the reload'],
])(
  'a save in flight when the page is closed is not applied twice: "%s"',
  { tags: ['@fault-16'] },
  async (saved, since) => {
    world.server.offline = true
    editor.type(' first')
    await text.flush()
    editor.type(saved)
    void text.flush()
    editor.type(since)
    text.saveExitSnapshot()
    tab.kill()
    await world.settle()
    const next = await (await world.tab('next')).edit('a1')
    expect(plainText(next.text.document)).toBe(`one first${saved}${since}`)
  },
)

test('an exit snapshot of a page that was left before the clock was set back', {
  tags: ['@fault-49'],
}, async () => {
  await world.tab('home')
  world.server.offline = true
  editor.type(' two')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  const inSixHours = { at: world.clock.now() + 6 * 3_600_000 }
  await world.database.exitSnapshots
    .toCollection()
    .modify((row) => void Object.assign(row, inSixHours))
  const { snapshotStore } = world.database
  const key = snapshotStore?.key(0) ?? ''
  snapshotStore?.setItem(
    key,
    JSON.stringify({ ...JSON.parse(snapshotStore.getItem(key) ?? ''), ...inSixHours }),
  )
  comesBack()
  await world.pass(130_000)
  expect(world.server.words('a1')).toBe('one two')
})

test('an exit snapshot is restored once, also where no revision of it can be kept', {
  tags: ['@fault-44'],
}, async () => {
  world.server.offline = true
  editor.type(' two')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  comesBack()
  world.database.localRevs.hook('creating').subscribe(noRoom)
  const home = await world.tab('next')
  await world.pass(5_000)
  expect(await readArticleView(world.database, 'a1')).toMatchObject({ saveLine: 'saved' })
  const next = await home.edit('a1')
  next.editor.show(doc('one'))
  next.text.edited()
  await world.pass(130_000)
  expect(world.server.words('a1')).toBe('one')
})

test('a disk that was full once does not delay later exit snapshots', {
  tags: ['@fault-44'],
}, async () => {
  world.server.add('a2', doc('finished'))
  world.server.change('a2', { completed: true })
  await world.tab('home')
  let isFull = true
  world.database.drafts.hook('updating').subscribe(() => {
    if (isFull) noRoom()
  })
  editor.type(' two')
  await world.pass(1_000)
  isFull = false
  await world.pass(60_000)
  world.server.offline = true
  editor.type(' three')
  await world.pass(2_000)
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  expect(world.database.isShortOfRoom).toBe(true)
  expect(await readArticleView(world.database, 'a1')).toMatchObject({
    saveLine: 'on-this-computer',
  })
})

function noRoom(): never {
  throw new DOMException('No room', 'QuotaExceededError')
}

describe('exit snapshots outlive the database', { tags: ['@fault-45'] }, () => {
  test.each([
    { state: 'written', waited: 2_000 },
    { state: 'typed just now', waited: 0 },
  ])('of a text that was $state and not sent', { tags: ['@SY-11'] }, async ({ waited }) => {
    world.server.offline = true
    editor.type(' two')
    await world.pass(2_000)
    editor.type(' three')
    await world.pass(waited)
    await leaveAndDrop()
    comesBack()
    world.server.change('a1', { text: doc('zero', 'one') })
    await world.tab('next')
    await world.pass(10_000)
    expect(world.server.words('a1')).toBe('zero\none two three')
    expect(world.database.snapshotStore?.length).toBe(0)
  })

  test.each([
    { state: 'written', waited: 2_000 },
    { state: 'typed on the first text opened', waited: 0 },
  ])(
    'of a text that was $state, where the article was pulled again before they were restored',
    { tags: ['@SY-11'] },
    async ({ waited }) => {
      world.server.offline = true
      editor.type(' two')
      await world.pass(waited)
      await leaveAndDrop()
      comesBack()
      world.server.change('a1', { text: doc('zero', 'one') })
      const came = serverText('a1', world.server.article('a1'))
      const now = world.clock.now()
      await storeTexts(world.database, [{ text: came, madeAt: now }], now)
      await world.tab('next')
      await world.pass(10_000)
      expect(world.server.words('a1')).toBe('zero\none two')
    },
  )

  test('that could not be restored before the article was edited again', {
    tags: ['@SY-11'],
  }, async () => {
    world.server.offline = true
    editor.type(' two')
    await world.pass(2_000)
    editor.type(' three')
    await leaveAndDrop()
    comesBack()
    let isFull = true
    world.database.drafts.hook('creating').subscribe(() => {
      if (isFull) noRoom()
    })
    const next = await world.tab('next')
    await world.pass(2_000)
    isFull = false
    const opened = await next.edit('a1')
    for (const word of [' four', ' five', ' six']) {
      opened.editor.type(word)
      await world.pass(1_000)
    }
    await world.pass(130_000)
    expect(world.server.words('a1')).toBe('one two three four five six')
  })

  test('that arrived before: nothing is sent twice', { tags: ['@SY-11'] }, async () => {
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(500)
    text.saveExitSnapshot()
    tab.kill()
    await world.settle()
    await Promise.all(world.database.tables.map((table) => table.clear()))
    await world.tab('next')
    await world.pass(10_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(world.server.article('a1').textVersion).toBe(2)
  })
})

test('a text is not opened without exit snapshots that only the database has', {
  tags: ['@fault-49'],
}, async () => {
  expect((await readOpening(world.database, 'a1'))?.draft?.doc).toEqual(doc('one'))
  world.server.offline = true
  editor.type(' two')
  text.saveExitSnapshot()
  tab.kill()
  await world.settle()
  const { database } = world
  database.snapshotStore?.removeItem(database.snapshotStore.key(0) ?? '')
  expect(await readOpening(database, 'a1')).toBeNull()
  const next = await world.tab('next')
  expect((await next.client.open('a1'))?.document).toEqual(doc('one two'))
})
