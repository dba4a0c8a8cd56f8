import { liveQuery } from 'dexie'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ArticleDocument, ArticleText } from '../../domain/text/document.ts'
import type { HttpAnswer } from '../ports.ts'
import { readArticleView, type SaveWarning } from '../status/article-view.ts'
import { readSyncSummary, unsentArticles } from '../status/sync-summary.ts'
import { readDraft } from '../store/draft-rows.ts'
import { measure } from '../store/text-stats.ts'
import { errorBody } from '../testing/test-server.ts'
import {
  createOpenArticle,
  doc,
  type FakeEditor,
  type Tab,
  type World,
} from '../testing/test-world.ts'
import { createDirectSave } from './direct-save.ts'
import type { OpenText } from './editor-session.ts'
import type { Base } from './write-draft.ts'

/** This computer cannot write texts: a full disk, a broken database. */
let world: World
let tab: Tab
let editor: FakeEditor
let text: OpenText
let repair: () => void

const full = () => {
  throw new DOMException('The disk is full', 'QuotaExceededError')
}

function breakDisk() {
  world.database.drafts.hook('updating').subscribe(full)
  repair = () => world.database.drafts.hook('updating').unsubscribe(full)
}

/** A direct save whose only response is `answer`, and what it shows. */
function pushOf(current: { doc: ArticleDocument; base: Base }) {
  const shown: ArticleText[] = []
  let respond = (_: HttpAnswer): void => {}
  const nothing = () => {}
  const push = createDirectSave(
    {
      clock: world.clock,
      random: () => 0,
      newId: () => 'k',
      locks: world.locks,
      bus: { post: nothing, listen: () => nothing },
      send: () =>
        new Promise((resolve) => {
          respond = resolve
        }),
      sendLast: nothing,
    },
    {
      database: world.database,
      articleId: 'a1',
      current: () => ({ ...current, writtenBase: current.base, epoch: null }),
      taken: nothing,
      show: (document) => shown.push(document) > 0,
    },
  )
  const isStale = { version: 2, textVersion: 2, completed: false, updatedAt: '' }
  const answer = async () => {
    const moved = { ...isStale, articleText: doc('one', 'theirs') }
    const json = errorBody(412, 'Stale', { reason: 'stale', current: moved })
    respond({ status: 412, json, header: () => null })
    await world.settle()
  }
  return { push, shown, answer }
}

const baseOf = (document: ArticleDocument, baseVersion: number): Base => {
  const { doc: baseDoc, hash: baseHash } = measure(document)
  return { baseDoc, baseHash, baseVersion }
}

describe('a refusal that comes late', { tags: ['@fault-43'] }, () => {
  test('shows nothing once the rows have the text, or more than it', async () => {
    const { push, shown, answer } = pushOf({ doc: doc('one two'), base: baseOf(doc('one'), 1) })
    push.start(null)
    push.stop()
    await answer()
    expect(shown).toEqual([])
  })

  test('reverts nothing that the text has from a later one', async () => {
    const current = { doc: doc('one two'), base: baseOf(doc('one'), 1) }
    const { push, shown, answer } = pushOf(current)
    push.start(null)
    Object.assign(current, { doc: doc('one two', 'later'), base: baseOf(doc('one', 'later'), 3) })
    await answer()
    expect(shown).toEqual([])
    push.stop()
  })
})

beforeEach(async () => {
  ;({ world, tab, editor, text } = await createOpenArticle())
})

const view = async () => {
  const found = await readArticleView(world.database, 'a1')
  if (!found) throw new Error('a1 is unknown')
  return found
}

describe('text that is in memory alone', () => {
  test('is not shown as saved, and is sent immediately', {
    tags: ['@ED-24', '@fault-44'],
  }, async () => {
    breakDisk()
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    expect(await view()).toMatchObject({ saveLine: 'not-saved', warning: { kind: 'memory' } })
    world.server.offline = false
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one two')
    editor.type(' three')
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one two three')
  })

  test('is written and sent in the usual way once the disk recovers, nothing twice', {
    tags: ['@SY-11'],
  }, async () => {
    breakDisk()
    editor.type(' two')
    await world.pass(3_000)
    repair()
    editor.type(' three')
    await world.pass(15_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two three'))
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
    expect(world.server.words('a1')).toBe('one two three')
    expect(editor.words).toBe('one two three')
  })

  test('merges with the text of another user', { tags: ['@SY-11'] }, async () => {
    breakDisk()
    editor.type(' mine')
    world.server.change('a1', { text: doc('one', 'theirs') })
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one mine\ntheirs')
    expect(editor.words).toBe('one mine\ntheirs')
    repair()
    await world.pass(15_000)
    expect(world.server.words('a1')).toBe('one mine\ntheirs')
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('is still sent after its editor was closed', { tags: ['@SY-11'] }, async () => {
    breakDisk()
    world.server.offline = true
    editor.type(' two')
    const closing = text.close()
    await world.pass(5_000)
    await closing
    expect(await view()).toMatchObject({ saveLine: 'not-saved' })
    world.server.offline = false
    await world.pass(60_000)
    expect(world.server.words('a1')).toBe('one two')
    repair()
    await world.pass(15_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('is what its article reopens with in this tab', { tags: ['@SY-11'] }, async () => {
    breakDisk()
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    void text.close()
    await world.pass(1_000)
    const again = await tab.edit('a1')
    expect(again.editor.words).toBe('one two')
    again.editor.type(' three')
    await world.pass(1_000)
    expect(await view()).toMatchObject({ saveLine: 'not-saved' })
    repair()
    world.server.offline = false
    await world.pass(30_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two three'))
    expect(world.server.words('a1')).toBe('one two three')
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('of a closed text is kept too when the page is left, along with that of another one', {
    tags: ['@SY-10'],
  }, async () => {
    breakDisk()
    world.server.always.set('a1', { status: 413, json: errorBody(413, 'Too large') })
    editor.type(' two')
    await world.pass(200)
    const next = await tab.edit('a1')
    void text.close()
    await world.pass(1_000)
    next.editor.show(doc('zero', 'one'))
    next.text.edited()
    tab.client.saveExitSnapshot()
    tab.kill()
    repair()
    world.server.always.clear()
    await world.tab('next')
    await world.pass(10_000)
    expect(world.server.words('a1')).toBe('zero\none two')
  })

  test('counts as unsent in every tab', { tags: ['@ST-06'] }, async () => {
    breakDisk()
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    expect(await world.database.meta.get('memory:a1')).toMatchObject({
      value: world.clock.now() - 50,
    })
    expect([...(await unsentArticles(world.database))]).toEqual(['a1'])
    expect(await readSyncSummary(world.database)).toMatchObject({ waiting: 1, inMemory: 1 })
  })

  test('is reported to the other tabs for as long as its page lives, and not much longer', {
    tags: ['@BA-06'],
  }, async () => {
    const isNoted = async () => (await world.database.meta.get('memory:a1')) !== undefined
    await world.tab('other')
    breakDisk()
    world.server.offline = true
    editor.type(' two')
    await world.pass(300_000)
    expect(await isNoted()).toBe(true)
    tab.kill()
    await world.pass(59_000)
    expect(await isNoted()).toBe(true)
    await world.pass(61_000)
    expect(await isNoted()).toBe(false)
  })

  test('is not locked out by a completion', { tags: ['@CO-16', '@Q52'] }, async () => {
    breakDisk()
    const told: string[] = []
    tab.client.onRefusal(({ message }) => told.push(message))
    world.server.offline = true
    editor.type(' two')
    await world.pass(200)
    void tab.client.setCompleted('a1', true)
    await world.pass(1_000)
    world.server.offline = false
    await world.pass(30_000)
    expect(told).toEqual(['The latest text could not be kept on this computer yet.'])
    expect(world.server.article('a1')).toMatchObject({ completed: false })
    expect(world.server.words('a1')).toBe('one two')
  })

  test('clears the warning once the server has all of it, and shows it again with the next edit', {
    tags: ['@BA-06', '@Q45'],
  }, async () => {
    breakDisk()
    editor.type(' two')
    await world.pass(200)
    expect(await view()).toMatchObject({ saveLine: 'sent-only', isFull: true, warning: null })
    expect(world.database.unsaved.inMemory()).toEqual([])
    world.server.offline = true
    editor.type(' three')
    await world.settle()
    expect(world.database.unsaved.inMemory()).toEqual(['a1'])
    expect(await view()).toMatchObject({ saveLine: 'not-saved', warning: { kind: 'memory' } })
  })

  test.each([
    { status: 409, more: { reason: 'article_completed' }, reason: 'completed', onceEdited: false },
    { status: 404, more: {}, reason: 'deleted', onceEdited: false },
    { status: 403, more: {}, reason: 'revoked', onceEdited: false },
    { status: 413, more: {}, reason: 'too-large', onceEdited: true },
    { status: 400, more: {}, reason: 'rejected', onceEdited: true },
    { status: 426, more: {}, reason: 'update', onceEdited: false },
    { status: 401, more: {}, reason: 'sign-in', onceEdited: false },
  ])(
    'is shown as refused with $status, and not sent indefinitely',
    { tags: ['@ER-11'] },
    async (refused) => {
      const { status, more, reason, onceEdited } = refused
      breakDisk()
      world.server.always.set('a1', { status, json: errorBody(status, 'No', more) })
      editor.type(' two')
      await world.pass(60_000)
      const sent = () => world.server.patches().filter((line) => line.includes('PATCH')).length
      expect(sent()).toBe(1)
      const warning = { kind: 'memory', refusal: { reason, message: 'No' } }
      expect(await view()).toMatchObject({ saveLine: 'not-saved', warning })
      editor.type(' three')
      await world.pass(5_000)
      expect(sent()).toBe(onceEdited ? 1 : 0)
      world.server.always.clear()
      tab.client.wake()
      await world.pass(1_000)
      expect(world.server.words('a1')).toBe('one two three')
      expect(await view()).toMatchObject({ saveLine: 'sent-only' })
    },
  )

  test('is retried unchanged while the server does not respond', {
    tags: ['@SY-08'],
  }, async () => {
    breakDisk()
    world.server.fates = ['answer-lost', { status: 503, json: errorBody(503, 'Busy') }]
    editor.type(' two')
    await world.pass(10_000)
    expect(world.server.patches().filter((line) => line.includes('PATCH'))).toEqual([
      '150 PATCH a1 t1 "one two" k1',
      '1150 PATCH a1 t1 "one two" k1',
      '3150 PATCH a1 t1 "one two" k1',
    ])
    expect(world.server.article('a1').textVersion).toBe(2)
  })

  test('is applied once when its response was lost before the disk recovered', {
    tags: ['@SY-08'],
  }, async () => {
    breakDisk()
    world.server.fates = ['answer-lost']
    editor.type(' two wor')
    await world.pass(200)
    expect(world.server.words('a1')).toBe('one two wor')
    world.server.offline = true
    repair()
    editor.type('d')
    await world.pass(15_000)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two word'))
    world.server.offline = false
    await world.pass(60_000)
    expect(world.server.words('a1')).toBe('one two word')
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test.each(['by the page that goes on', 'by the next page'])(
    'deleted text of it stays deleted when its response was lost, %s',
    { tags: ['@SY-08'] },
    async (by) => {
      breakDisk()
      world.server.fates = ['answer-lost']
      editor.type(' two wor')
      await world.pass(200)
      world.server.offline = true
      editor.show(doc('one'))
      text.edited()
      if (by === 'by the next page') {
        tab.client.saveExitSnapshot()
        tab.kill()
      }
      repair()
      if (by === 'by the next page') await world.tab('next')
      await world.pass(15_000)
      world.server.offline = false
      await world.pass(60_000)
      expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one'))
      expect(world.server.words('a1')).toBe('one')
    },
  )

  test('is applied once when its page was hidden during the request', {
    tags: ['@SY-08'],
  }, async () => {
    breakDisk()
    editor.type(' two')
    await world.pass(200)
    editor.type(' wor')
    await world.pass(50)
    tab.client.saveExitSnapshot()
    await world.pass(50)
    editor.type('d')
    await world.pass(20_000)
    expect(world.server.words('a1')).toBe('one two word')
  })

  test('is applied once when its page was hidden, edited and closed', {
    tags: ['@SY-08'],
  }, async () => {
    breakDisk()
    world.server.offline = true
    editor.type(' two wor')
    await world.pass(200)
    tab.client.saveExitSnapshot()
    await world.pass(200)
    editor.type('d')
    await world.pass(200)
    void text.close()
    await world.pass(1_000)
    repair()
    world.server.offline = false
    await world.pass(195_000)
    expect(world.server.words('a1')).toBe('one two word')
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('is applied once when an earlier text is blocked', { tags: ['@SY-08'] }, async () => {
    world.server.always.set('a1', { status: 413, json: errorBody(413, 'Too large') })
    editor.type(' big')
    await world.pass(3_000)
    breakDisk()
    world.server.always.clear()
    world.server.fates = ['answer-lost']
    editor.show(doc('one'))
    editor.type(' two wor')
    await world.pass(200)
    world.server.offline = true
    repair()
    editor.type('d')
    await world.pass(15_000)
    world.server.offline = false
    await world.pass(60_000)
    expect(world.server.words('a1')).toBe('one two word')
  })

  test('is applied once when it was pulled from the server before it was written', {
    tags: ['@SY-08'],
  }, async () => {
    breakDisk()
    world.server.fates = ['answer-lost', 'lost', 'lost', 'lost']
    editor.type(' two wor')
    await world.pass(200)
    editor.type('d')
    await world.pass(8_000)
    repair()
    void tab.client.load('a1')
    await world.pass(60_000)
    expect(world.server.words('a1')).toBe('one two word')
  })

  test('is sent at the time of Retry-After, whatever happens before', {
    tags: ['@SY-08', '@fault-6'],
  }, async () => {
    breakDisk()
    const headers = { 'Retry-After': '30' }
    world.server.fates = [{ status: 503, json: errorBody(503, 'Busy'), headers }]
    editor.type(' two')
    await world.pass(5_000)
    tab.client.wake()
    await world.pass(5_000)
    repair()
    await world.pass(15_000)
    tab.client.saveExitSnapshot()
    await world.pass(1_000)
    breakDisk()
    editor.type(' three')
    await world.pass(2_000)
    const sent = () => world.server.patches().filter((line) => line.includes('PATCH'))
    const first = sent()
    expect(first[0]).toBe('150 PATCH a1 t1 "one two" k1')
    expect(first.slice(1).every((line) => line.includes('"one two"'))).toBe(true)
    await world.pass(5_000)
    expect(sent()[0]).toMatch(/^30150 PATCH a1 t1 "one two/)
    await world.pass(30_000)
    expect(world.server.words('a1')).toBe('one two three')
  })

  test('includes no remote edit that composition kept off the screen', {
    tags: ['@SY-11'],
  }, async () => {
    editor.composing = true
    world.server.change('a1', { text: doc('one', 'theirs') })
    await world.pass(61_000)
    editor.type(' mine')
    await world.pass(200)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one mine', 'theirs'))
    breakDisk()
    editor.type(' more')
    await world.pass(5_000)
    expect(world.server.words('a1')).toContain('theirs')
    editor.composing = false
    await world.pass(5_000)
    expect(world.server.words('a1')).toMatch(/mine more\ntheirs$/)
    expect(editor.words).toBe(world.server.words('a1'))
  })

  test('updates live queries although no row could be written', {
    tags: ['@BA-06'],
  }, async () => {
    const seen: (SaveWarning['kind'] | undefined)[] = []
    const watching = liveQuery(() => readArticleView(world.database, 'a1')).subscribe((now) => {
      seen.push(now?.warning?.kind)
    })
    await vi.waitFor(() => expect(seen).toEqual([undefined]))
    breakDisk()
    world.server.offline = true
    world.database.meta.hook('creating').subscribe(full)
    editor.type(' two')
    await world.pass(200)
    await vi.waitFor(() => expect(seen.at(-1)).toBe('memory'))
    watching.unsubscribe()
  })
})
