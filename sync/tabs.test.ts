import { beforeEach, describe, expect, test } from 'vitest'
import { readArticleView } from './status/article-view.ts'
import { readDraft } from './store/draft-rows.ts'
import { errorBody } from './testing/test-server.ts'
import { createEditor, createWorld, doc, type World } from './testing/test-world.ts'

/** Several editors of one article: tabs of this device, pages that crashed, other users. */
let world: World

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('one'))
})

const two = async () => {
  const [left, right] = [await world.tab('left'), await world.tab('right')]
  return { left, right, a: await left.edit('a1'), b: await right.edit('a1') }
}

describe('two tabs', () => {
  test('an idle tab shows the edits of the other one', { tags: ['@SY-11'] }, async () => {
    const { a, b } = await two()
    a.editor.type(' two')
    await world.pass(150)
    expect(b.editor.words).toBe('one two')
    b.editor.type(' three')
    await world.pass(150)
    expect(a.editor.words).toBe('one two three')
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one two three')
  })

  test('both texts are in both tabs and on the server when both type at once', {
    tags: ['@SY-11', '@fault-21'],
  }, async () => {
    world.server.change('a1', { text: doc('one', 'middle', 'two') })
    const { a, b } = await two()
    a.editor.type(' left', 0)
    b.editor.type(' right', 2)
    await world.pass(3_000)
    expect(a.editor.words).toBe('one left\nmiddle\ntwo right')
    expect(b.editor.words).toBe(a.editor.words)
    expect(world.server.words('a1')).toBe(a.editor.words)
    expect(world.server.article('a1').textVersion).toBeLessThanOrEqual(4)
  })

  test('the draft has what was typed in both when both type at once', async () => {
    world.server.change('a1', { text: doc('one', 'middle', 'two') })
    const { a, b } = await two()
    a.editor.type(' left', 0)
    b.editor.type(' right', 2)
    await world.pass(400)
    expect((await readDraft(world.database, 'a1'))?.typedRuns).toEqual(
      expect.arrayContaining([' left', ' right']),
    )
  })

  test('keeps both edits typed at the same place at once, also during further typing', {
    tags: ['@SY-11'],
  }, async () => {
    const { a, b } = await two()
    for (let round = 0; round < 10; round += 1) {
      a.editor.type(` l${round}`)
      await world.pass(40)
      b.editor.type(` r${round}`)
      await world.pass(40)
    }
    await world.pass(3_000)
    const words = new Set(world.server.words('a1').split(/\s+/))
    for (let round = 0; round < 10; round += 1) {
      expect(words.has(`l${round}`) && words.has(`r${round}`)).toBe(true)
    }
    expect(a.editor.words).toBe(world.server.words('a1'))
    expect(b.editor.words).toBe(world.server.words('a1'))
  })

  test('shows nothing while an input method composes, and all of it afterwards', {
    tags: ['@SY-11', '@fault-52'],
  }, async () => {
    const { a, b } = await two()
    b.editor.composing = true
    a.editor.type(' two')
    await world.pass(2_000)
    expect(b.editor.shown).toBe(0)
    b.editor.type('x', 0)
    await world.pass(2_000)
    expect(b.editor.shown).toBe(0)
    b.editor.composing = false
    await world.pass(2_000)
    const words = new Set(b.editor.words.split(/\s+/))
    expect([...words]).toEqual(expect.arrayContaining(['onex', 'two']))
    expect(a.editor.words).toBe(b.editor.words)
    expect(world.server.words('a1')).toBe(b.editor.words)
  })

  test('continues after 35 s when a frozen tab keeps the lock', {
    tags: ['@SY-08', '@fault-18'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.locks.freeze('contun-push:u1')
    editor.type(' two')
    await world.pass(35_500)
    expect(world.server.words('a1')).toBe('one')
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one two')
  })

  test('settles once when the lock is taken over in the middle of a request', {
    tags: ['@SY-08', '@fault-19'],
  }, async () => {
    const { a } = await two()
    world.server.fates = ['never']
    a.editor.type(' two')
    await world.pass(1_000)
    world.locks.release('')
    await world.pass(30_000)
    a.editor.type(' three')
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one two three')
    expect(world.server.article('a1').textVersion).toBe(3)
    expect(await world.database.outbox.count()).toBe(0)
  })

  test('sends what became due just as another tab gave the lock back', {
    tags: ['@SY-08', '@fault-20'],
  }, async () => {
    const { a, b } = await two()
    world.server.add('a2', doc('x'))
    a.editor.type(' two')
    await world.pass(999)
    b.editor.type(' three')
    await world.pass(2_002)
    expect(world.server.words('a1')).toBe('one two three')
    expect(await world.database.outbox.count()).toBe(0)
  })
})

test('a tab whose edit was undone shows the concurrent edits of another one', {
  tags: ['@SY-11'],
}, async () => {
  const one = await (await world.tab('one')).edit('a1')
  const other = await (await world.tab('other')).edit('a1')
  one.editor.type(' two')
  await world.pass(50)
  other.text.edited()
  await world.pass(2_000)
  expect(other.editor.words).toBe('one two')
})

describe('pages that are closed', () => {
  test('writes what was typed before the editor was connected', {
    tags: ['@ED-21', '@SY-11', '@fault-16'],
  }, async () => {
    const { client } = await world.tab('tab')
    const text = await client.open('a1')
    if (!text) throw new Error('No copy')
    const editor = createEditor(text)
    editor.type(' two')
    text.attach(editor)
    await world.pass(150)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
  })

  test('restores every character of a page that was closed right after a key', {
    tags: ['@RT-28', '@ED-21', '@SY-11', '@fault-16'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor, text } = await tab.edit('a1')
    editor.type(' two')
    await world.pass(1_500)
    editor.type(' three')
    text.saveExitSnapshot()
    tab.kill()
    await world.settle()
    const next = await world.tab('next')
    expect((await next.edit('a1')).editor.words).toBe('one two three')
    expect(await world.database.exitSnapshots.count()).toBe(0)
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one two three')
    const kept = await world.database.localRevs.where('reason').equals('exit-snapshot').toArray()
    expect(kept.map(({ doc: text }) => text)).toEqual([doc('one two three')])
  })

  test('restores them also when the last write did not reach the database', {
    tags: ['@ED-21', '@SY-11'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor, text } = await tab.edit('a1')
    editor.type(' two')
    await world.pass(1_500)
    editor.type(' three')
    text.saveExitSnapshot()
    tab.kill()
    await world.settle()
    await world.database.exitSnapshots.clear()
    world.database.snapshotStore?.setItem(`${world.database.name}:last-words:a0:x`, '{"articleId":')
    const next = await world.tab('next')
    expect((await next.edit('a1')).editor.words).toBe('one two three')
    expect(world.database.snapshotStore?.length).toBe(1)
  })

  test('deletes the exit snapshot once its text is written', { tags: ['@SY-11'] }, async () => {
    const tab = await world.tab('tab')
    const { editor, text } = await tab.edit('a1')
    editor.type(' two')
    text.saveExitSnapshot()
    expect(world.database.snapshotStore?.length).toBe(1)
    await world.pass(1_500)
    expect(world.database.snapshotStore?.length).toBe(0)
    expect(await world.database.exitSnapshots.count()).toBe(0)
  })

  test('sends the exit snapshot of a closed tab while another one stays open', {
    tags: ['@SY-11'],
  }, async () => {
    await world.tab('home')
    const closed = await world.tab('closed')
    const { editor, text } = await closed.edit('a1')
    editor.type(' two')
    text.saveExitSnapshot()
    closed.kill()
    await world.pass(130_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await world.database.exitSnapshots.count()).toBe(0)
  })

  test('sends them first when the other one signs out', {
    tags: ['@ST-06', '@SY-11'],
  }, async () => {
    const home = await world.tab('home')
    const closed = await world.tab('closed')
    const { editor, text } = await closed.edit('a1')
    editor.type(' two')
    text.saveExitSnapshot()
    closed.kill()
    const drained = home.client.drain(5_000)
    await world.pass(5_000)
    expect(await drained).toBe(true)
    expect(world.server.words('a1')).toBe('one two')
  })

  test.each(['stays open', 'is closed'])(
    'writes a text again whose rows were cleared, when its editor %s',
    { tags: ['@SY-11', '@fault-45'] },
    async (then) => {
      const tab = await world.tab('tab')
      const { editor, text } = await tab.edit('a1')
      world.server.offline = true
      editor.type(' two')
      await world.pass(2_000)
      await Promise.all(world.database.tables.map((table) => table.clear()))
      if (then === 'is closed') await text.close()
      tab.client.wake()
      await world.pass(2_000)
      expect(await readArticleView(world.database, 'a1')).toMatchObject({
        saveLine: 'on-this-computer',
      })
      world.server.offline = false
      tab.client.wake()
      await world.pass(90_000)
      expect(world.server.words('a1')).toBe('one two')
    },
  )

  test('does not write a text again that the server has', { tags: ['@SY-11'] }, async () => {
    const { editor, text } = await (await world.tab('tab')).edit('a1')
    editor.type(' two')
    await world.pass(2_000)
    await world.database.drafts.clear()
    await text.close()
    expect(await world.database.drafts.count()).toBe(0)
  })

  test('merges an exit snapshot with later edits of another tab', {
    tags: ['@SY-11'],
  }, async () => {
    world.server.change('a1', { text: doc('one', 'middle', 'two') })
    const { left, a, b } = await two()
    a.editor.type(' lost?', 0)
    a.text.saveExitSnapshot()
    left.kill()
    await world.settle()
    b.editor.type(' later', 2)
    await world.pass(500)
    const next = await world.tab('next')
    expect((await next.edit('a1')).editor.words).toBe('one lost?\nmiddle\ntwo later')
    await world.pass(2_000)
    expect(b.editor.words).toBe('one lost?\nmiddle\ntwo later')
  })

  test('leaves nothing behind when the page was hidden and came back', {
    tags: ['@SY-11', '@fault-17'],
  }, async () => {
    const { editor, text } = await (await world.tab('tab')).edit('a1')
    editor.type(' two')
    text.saveExitSnapshot()
    await world.pass(500)
    expect(await world.database.exitSnapshots.count()).toBe(0)
    expect(editor.words).toBe('one two')
  })

  test('writes nothing on hide when the server has everything', { tags: ['@SY-11'] }, async () => {
    const { editor, text } = await (await world.tab('tab')).edit('a1')
    editor.type(' two')
    await world.pass(3_000)
    text.saveExitSnapshot()
    await world.settle()
    expect(await world.database.exitSnapshots.count()).toBe(0)
  })

  test('writes on close what the editor showed last', { tags: ['@SY-11'] }, async () => {
    const { editor, text } = await (await world.tab('tab')).edit('a1')
    editor.type(' two')
    const closing = text.close()
    editor.show(doc('the editor is gone'))
    await world.settle()
    await closing
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
  })
})

describe('412: other users', () => {
  test('merges with the text of another user and keeps both earlier texts', {
    tags: ['@SY-11', '@Q90'],
  }, async () => {
    world.server.change('a1', { text: doc('one', 'middle', 'two') })
    const { editor } = await (await world.tab('tab')).edit('a1')
    editor.type(' mine', 0)
    world.server.change('a1', { text: doc('one', 'middle', 'two theirs') })
    await world.pass(2_000)
    expect(world.server.patches()).toEqual([
      '1000 PATCH a1 t2 "one mine / middle / two" k1',
      '1000 412',
      '1000 PATCH a1 t3 "one mine / middle / two theirs" k2',
      '1000 200 t4',
    ])
    expect(editor.words).toBe('one mine\nmiddle\ntwo theirs')
    const kept = await world.database.localRevs.toArray()
    expect(kept.map(({ reason, doc: text }) => [reason, text])).toEqual([
      ['checkpoint', doc('one', 'middle', 'two')],
      ['pre-merge-mine', doc('one mine', 'middle', 'two')],
      ['pre-merge-theirs', doc('one', 'middle', 'two theirs')],
    ])
  })

  test('keeps every word of two users in the same paragraph', { tags: ['@SY-11'] }, async () => {
    const { editor } = await (await world.tab('tab')).edit('a1')
    editor.type(' mine')
    world.server.change('a1', { text: doc('one theirs') })
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one theirs mine')
    expect(editor.words).toBe('one theirs mine')
  })

  test('merges edits typed while the response was in flight', {
    tags: ['@SY-11'],
  }, async () => {
    world.server.change('a1', { text: doc('one', 'middle', 'two') })
    const { editor } = await (await world.tab('tab')).edit('a1')
    editor.type(' mine', 0)
    world.server.change('a1', { text: doc('one', 'middle', 'two theirs') })
    await world.pass(999)
    editor.type(' later', 0)
    await world.pass(3_000)
    expect(world.server.words('a1')).toBe('one mine later\nmiddle\ntwo theirs')
    expect(editor.words).toBe(world.server.words('a1'))
    expect(await world.database.outbox.count()).toBe(0)
  })

  test('restores text that a plain client overwrote, merged with its text', {
    tags: ['@SY-11', '@fault-24'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' mine')
    await world.pass(2_000)
    world.server.change('a1', { text: doc('old copy') })
    world.server.offline = false
    tab.client.wake()
    await world.pass(2_000)
    expect(world.server.words('a1')).toBe('one mine\nold copy')
  })

  test('keeps the newest text when an edit was undone and the response has an older one', {
    tags: ['@SY-11'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor, text } = await tab.edit('a1')
    world.server.change('a1', { text: doc('one theirs') })
    const current = { ...world.server.article('a1'), updatedBy: null }
    const late = { status: 412, json: errorBody(412, 'Stale', { current }) }
    world.server.fates.push('lost', late)
    editor.type(' mine')
    await world.pass(1_100)
    editor.show(doc('one'))
    text.edited()
    await world.pass(200)
    world.server.change('a1', { text: doc('one theirs', 'and more') })
    await tab.client.load('a1')
    await world.pass(20_000)
    expect(editor.words).toBe('one theirs\nand more')
    expect(await world.database.outbox.count()).toBe(0)
  })

  test('has no conflict when only the settings of the article changed', {
    tags: ['@SY-12', '@fault-42'],
  }, async () => {
    const { editor } = await (await world.tab('tab')).edit('a1')
    editor.type(' two')
    world.server.change('a1', { name: 'Renamed' })
    await world.pass(2_000)
    expect(world.server.patches()).toEqual(['1000 PATCH a1 t1 "one two" k1', '1000 200 t2'])
    await world.pass(60_000)
    expect((await readArticleView(world.database, 'a1'))?.name).toBe('Renamed')
  })
})
