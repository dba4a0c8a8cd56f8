import { beforeEach, describe, expect, test } from 'vitest'
import { readDraft } from '../store/draft-rows.ts'
import { errorBody } from '../testing/test-server.ts'
import {
  createOpenArticle,
  doc,
  type FakeEditor,
  type Tab,
  type World,
} from '../testing/test-world.ts'
import type { OpenText } from './editor-session.ts'

/** What a page sends while it is being hidden, and how the queue continues from it. */
let world: World
let tab: Tab
let editor: FakeEditor
let text: OpenText

beforeEach(async () => {
  ;({ world, tab, editor, text } = await createOpenArticle())
})

/** The page is hidden and closed at once; the next day another one starts. */
async function dieAndReturn() {
  text.saveExitSnapshot()
  tab.kill()
  await world.pass(1_000)
  const log = world.server.patches()
  await world.tab('next day')
  await world.pass(5_000)
  return [...log, ...world.server.patches()]
}

/** What was kept of merges. */
const merges = async () =>
  (await world.database.localRevs.toArray()).filter(({ reason }) => reason.startsWith('pre-merge'))

const revisions = () => world.server.article('a1').textVersion

describe('a page that is closed', () => {
  test.each([
    { fate: 'good', first: '200 t2' },
    { fate: 'answer-lost', first: '200 lost' },
    { fate: 'lost', first: 'lost' },
  ] as const)(
    'sends text that was not yet written: $fate; the next start retries the same request',
    { tags: ['@SY-08'] },
    async (sent) => {
      world.server.fates = [sent.fate]
      editor.type(' two')
      await world.pass(40)
      const log = await dieAndReturn()
      expect(log.map((line) => line.replace(/^\d+ /, ''))).toEqual([
        'PATCH a1 t1 "one two" k1',
        sent.first,
        'PATCH a1 t1 "one two" k1',
        '200 t2',
      ])
      expect(revisions()).toBe(2)
      expect((await world.database.drafts.get('a1'))?.dirty).toBe(0)
    },
  )

  test('sends text that was written and waited for the debounce; the next start retries the same request', {
    tags: ['@SY-08'],
  }, async () => {
    editor.type(' two')
    await world.pass(150)
    const log = await dieAndReturn()
    expect(log.filter((line) => line.includes('PATCH')).map((line) => line.slice(-2))).toEqual([
      'k1',
      'k1',
    ])
    expect(revisions()).toBe(2)
    expect(world.server.words('a1')).toBe('one two')
  })

  test.each([
    { fate: 'good', isWritten: true },
    { fate: 'good', isWritten: false },
    { fate: 'lost', isWritten: true },
    { fate: 'lost', isWritten: false },
  ] as const)(
    'the next page types before its text is sent: $fate, written before: $isWritten',
    { tags: ['@SY-08', '@SY-11'] },
    async ({ fate, isWritten }) => {
      world.server.fates = [fate]
      editor.type(' two')
      await world.pass(isWritten ? 150 : 40)
      text.saveExitSnapshot()
      tab.kill()
      await world.pass(100)
      world.server.patches()
      const next = await world.tab('next')
      const opened = await next.edit('a1')
      opened.editor.show(doc('three', 'one two'))
      opened.text.edited()
      await world.pass(5_000)
      const sent = world.server.patches().filter((line) => line.includes('PATCH'))
      expect(sent).toEqual([expect.stringMatching(/PATCH a1 t1 "three \/ one two" k2$/)])
      expect(world.server.words('a1')).toBe('three\none two')
      expect(revisions()).toBe(fate === 'good' ? 3 : 2)
      expect(await world.database.exitSnapshots.count()).toBe(0)
    },
  )

  test('sends nothing when the edit was undone', {
    tags: ['@fault-71'],
  }, async () => {
    editor.type(' two')
    await world.pass(40)
    editor.show(doc('one'))
    text.edited()
    expect(await dieAndReturn()).toEqual([])
    expect(await world.database.exitSnapshots.count()).toBe(0)
    expect(revisions()).toBe(1)
  })

  test('is refused like any other, and the outbox keeps the text', {
    tags: ['@ER-11'],
  }, async () => {
    editor.type(' two')
    await world.pass(40)
    world.server.change('a1', { completed: true })
    await dieAndReturn()
    expect(world.server.words('a1')).toBe('one')
    const [entry] = await world.database.outbox.toArray()
    expect(entry).toMatchObject({ state: 'blocked', blockedReason: 'completed' })
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
  })

  test('merges with an earlier text of another user', { tags: ['@SY-11'] }, async () => {
    editor.type(' two')
    await world.pass(40)
    world.server.change('a1', { text: doc('one', 'theirs') })
    await dieAndReturn()
    expect(world.server.words('a1')).toBe('one two\ntheirs')
  })
})

describe('a page that is closed while typing, with another tab open', () => {
  test.each([
    { first: 'the other tab hears of what it sent', hears: true },
    { first: 'the other tab sends what was written before', hears: false },
  ])('nothing is written twice when $first', { tags: ['@SY-08', '@SY-11'] }, async ({ hears }) => {
    const home = await world.tab('home')
    editor.type(' Before lea')
    await world.pass(150)
    editor.type('ving.')
    text.saveExitSnapshot()
    tab.kill()
    if (hears) await home.client.load('a1')
    await world.pass(40_000)
    expect(world.server.words('a1')).toBe('one Before leaving.')
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one Before leaving.'))
  })
})

test('the keepalive save of a closed page is applied once, whichever tab edits before another one knows of it', {
  tags: ['@SY-11'],
}, async () => {
  const home = await world.tab('home')
  world.server.add('a2', doc(''))
  await tab.client.load('a2')
  const opened = await tab.edit('a2')
  opened.editor.show(doc('', 'mine'))
  opened.text.edited()
  opened.text.saveExitSnapshot()
  tab.kill()
  await world.pass(1_000)
  world.server.change('a2', { text: doc('theirs', 'mine') })
  await home.client.load('a2')
  await world.pass(100_000)
  expect(world.server.words('a2')).toBe('theirs\nmine')
  expect((await readDraft(world.database, 'a2'))?.doc).toEqual(doc('theirs', 'mine'))
})

test('the keepalive save of a closed page is applied once, also when another tab is edited immediately', {
  tags: ['@SY-11'],
}, async () => {
  const home = await world.tab('home')
  const other = await home.edit('a1')
  editor.show(doc('mine', 'one'))
  text.edited()
  await world.pass(150)
  text.saveExitSnapshot()
  tab.kill()
  await world.pass(50)
  other.editor.type(' and more')
  await world.pass(150)
  world.server.change('a1', { text: doc('theirs', 'mine', 'one') })
  await world.pass(100_000)
  expect(world.server.words('a1')).toBe('theirs\nmine\none and more')
  expect((await readDraft(world.database, 'a1'))?.doc).toEqual(
    doc('theirs', 'mine', 'one and more'),
  )
})

test('the keepalive save of a closed page is applied once, also when another tab had edited before', {
  tags: ['@SY-11'],
}, async () => {
  const other = await (await world.tab('home')).edit('a1')
  other.editor.type(' theirs')
  await world.pass(60)
  editor.type(' and mine')
  await world.pass(60)
  text.saveExitSnapshot()
  tab.kill()
  world.server.change('a1', { text: doc('one before and mine') })
  const next = await (await world.tab('next')).edit('a1')
  next.editor.type(' too')
  await world.pass(60_000)
  const said = world.server.words('a1').split(' ').sort()
  expect(said).toEqual(['and', 'before', 'mine', 'one', 'theirs', 'too'])
  expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc(world.server.words('a1')))
})

/** Hidden in the middle of a word while an earlier change is in flight; `first` is the outcome of that one. */
async function hideInAWord(first: 'lost' | 'answer-lost') {
  world.server.fates = [first]
  editor.type(' before')
  await world.pass(1_200)
  editor.type(' lea')
  await world.pass(150)
  text.saveExitSnapshot()
}

describe('a page that was only hidden', () => {
  test('reuses its key and sends once for all events of one page exit', {
    tags: ['@SY-08'],
  }, async () => {
    editor.type(' two')
    await world.pass(40)
    for (let event = 0; event < 3; event += 1) text.saveExitSnapshot()
    await world.pass(3_000)
    const keys = world.server.patches().filter((line) => line.includes('PATCH'))
    expect(keys.map((line) => line.split(' ').at(-1))).toEqual(['k1', 'k1'])
    expect(revisions()).toBe(2)
    expect(await world.database.exitSnapshots.count()).toBe(0)
  })

  test.each([
    { fate: 'good', log: ['200 t2', 'PATCH a1 t1 "one two three" k2', '200 t3'] },
    { fate: 'answer-lost', log: ['200 lost', 'PATCH a1 t1 "one two three" k2', '200 t3'] },
    { fate: 'lost', log: ['lost', 'PATCH a1 t1 "one two three" k2', '200 t2'] },
  ] as const)(
    'edits before the sent text is written: $fate; nothing is merged',
    { tags: ['@SY-08', '@SY-11', '@fault-59'] },
    async ({ fate, log }) => {
      world.server.fates = [fate]
      editor.type(' two')
      text.saveExitSnapshot()
      editor.type(' three')
      await world.pass(5_000)
      const lines = world.server.patches().map((line) => line.replace(/^\d+ /, ''))
      expect(lines).toEqual(['PATCH a1 t1 "one two" k1', ...log])
      expect(world.server.words('a1')).toBe('one two three')
      expect(editor.words).toBe('one two three')
      expect(await world.database.outbox.count()).toBe(0)
      expect(await world.database.exitSnapshots.count()).toBe(0)
    },
  )

  test('deletes what it sent before that was written: the text does not reappear', {
    tags: ['@SY-11', '@fault-59'],
  }, async () => {
    editor.type(' two')
    text.saveExitSnapshot()
    editor.show(doc('one'))
    text.edited()
    await world.pass(5_000)
    await tab.client.load('a1')
    await world.pass(5_000)
    expect(editor.words).toBe('one')
    expect(world.server.words('a1')).toBe('one')
  })

  test('hidden, edited and hidden again at once: the next start resolves the first text first', {
    tags: ['@SY-08', '@SY-11', '@fault-59'],
  }, async () => {
    editor.type(' to')
    text.saveExitSnapshot()
    editor.type(' to path')
    await dieAndReturn()
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one to to path')
    expect(await world.database.outbox.count()).toBe(0)
    expect(await merges()).toEqual([])
  })

  test.each([
    { first: 'lost', has: 'the last words before the change on its way' },
    { first: 'answer-lost', has: 'the change on its way before the last words' },
  ] as const)(
    'continues in the same word: the server has $has',
    { tags: ['@SY-08', '@SY-11'] },
    async ({ first }) => {
      await hideInAWord(first)
      await world.pass(300)
      editor.type('v')
      await world.pass(150)
      text.saveExitSnapshot()
      await world.pass(300)
      editor.type('ing.')
      await world.pass(60_000)
      expect(world.server.words('a1')).toBe('one before leaving.')
      expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one before leaving.'))
      expect(await world.database.outbox.count()).toBe(0)
      expect(await merges()).toEqual([])
    },
  )

  test.each([
    { what: 'completed and reopened', reason: 'completed' },
    { what: 'too large for a while', reason: 'too-large' },
  ] as const)(
    'continues in the same word of an article that is $what',
    { tags: ['@SY-08', '@SY-11'] },
    async ({ reason }) => {
      await hideInAWord('lost')
      await world.pass(50)
      if (reason === 'completed') world.server.change('a1', { completed: true })
      else world.server.always.set('a1', { status: 413, json: errorBody(413, 'Too large') })
      editor.type('v')
      await world.pass(20_000)
      const blocked = await world.database.outbox.toArray()
      expect(blocked).toMatchObject([{ state: 'blocked', blockedReason: reason }])
      if (reason === 'completed') world.server.change('a1', { completed: false })
      else world.server.always.delete('a1')
      editor.type('ing.')
      await world.pass(100_000)
      expect(world.server.words('a1')).toBe('one before leaving.')
      expect(await world.database.outbox.count()).toBe(0)
    },
  )

  test('sends the text after a refused one, which is not sent again', {
    tags: ['@SY-08', '@SY-11'],
  }, async () => {
    world.server.change('a1', { completed: true })
    editor.type(' two')
    await world.pass(3_000)
    world.server.change('a1', { completed: false })
    editor.type(' lea')
    await world.pass(150)
    text.saveExitSnapshot()
    await world.pass(50)
    editor.type('ving.')
    await world.pass(100_000)
    expect(world.server.words('a1')).toBe('one two leaving.')
    expect(await world.database.outbox.count()).toBe(0)
  })

  test('never gives one key to two texts, left twice and typed in at once', {
    tags: ['@SY-08'],
  }, async () => {
    await hideInAWord('lost')
    await world.pass(300)
    editor.type('v')
    text.saveExitSnapshot()
    editor.type('ing.')
    await world.pass(60_000)
    const log = world.server.patches()
    const sent = log.flatMap((line) => line.match(/".*" k\d+$/)?.[0] ?? [])
    const keys = new Set(sent.map((line) => line.split(' ').at(-1)))
    expect(new Set(sent).size).toBe(keys.size)
    expect(world.server.words('a1')).toBe('one before leaving.')
  })

  test('shows remote edits once its own deletion was sent', {
    tags: ['@SY-11'],
  }, async () => {
    world.server.fates = ['lost']
    editor.type(' two')
    await world.pass(1_200)
    editor.show(doc('one'))
    text.edited()
    world.server.change('a1', { text: doc('one', 'theirs') })
    text.saveExitSnapshot()
    await tab.client.load('a1')
    await world.pass(200_000)
    expect(editor.words).toBe('one\ntheirs')
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one', 'theirs'))
  })

  test('does not apply an old response to a text that was typed again', {
    tags: ['@SY-12'],
  }, async () => {
    editor.type(' two')
    await world.pass(40)
    text.saveExitSnapshot()
    await world.pass(3_000)
    editor.show(doc('one'))
    text.edited()
    await world.pass(3_000)
    editor.type(' two')
    await world.pass(3_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(revisions()).toBe(4)
  })

  test('sends nothing that the server has, nothing too long, and nothing of another tab', async () => {
    editor.type(' two')
    await world.pass(3_000)
    world.server.patches()
    text.saveExitSnapshot()
    const other = await (await world.tab('other')).edit('a1')
    other.editor.type(' three')
    await world.pass(200)
    text.saveExitSnapshot()
    await world.settle()
    expect(world.server.patches()).toEqual([])
    world.server.offline = true
    other.editor.type('é'.repeat(25_000))
    other.text.saveExitSnapshot()
    await world.settle()
    expect(world.server.patches()).toEqual([])
  })
})
