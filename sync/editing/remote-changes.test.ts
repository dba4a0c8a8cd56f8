import { beforeEach, describe, expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import { transact } from '../store/transaction.ts'
import { createAgencyWorld } from '../testing/test-agency.ts'
import { createWorld, doc, type World } from '../testing/test-world.ts'
import {
  closeRemoteChanges,
  markRemoteChangesShown,
  noteFollowed,
  noteMerged,
  noteMergedUnshown,
  type Placing,
  placing,
  readRemoteChanges,
} from './remote-changes.ts'

/** Notices to a writer about changes of other users and other devices. */
let world: World

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('one', 'two', 'three'))
})

const notice = () => readRemoteChanges(world.database, 'a1')

/** `before > after`, with bars for line ends. */
async function told(): Promise<string | null> {
  const known = await notice()
  const text = (part: 'before' | 'after') => known && plainText(known[part]).replaceAll('\n', '|')
  return known && `${text('before')} > ${text('after')}`
}

/** The next save meets an earlier one of another user. */
async function meetOnServer(edit: Awaited<ReturnType<typeof open>>, theirs: string[]) {
  world.server.change('a1', { text: doc(...theirs) })
  edit.editor.type(' mine', 0)
  await world.pass(3_000)
}

async function open(name: string) {
  const tab = await world.tab(name)
  return { ...(await tab.edit('a1')), tab }
}

describe('a merge with the text of another user', { tags: ['@fault-22'] }, () => {
  test('shows the name, the time and both texts; local edits are not listed', async () => {
    const edit = await open('tab')
    await meetOnServer(edit, ['one', 'two theirs', 'three'])
    expect(await told()).toBe('one mine|two|three > one mine|two theirs|three')
    const known = await notice()
    expect(known?.kinds).toEqual({ merged: [{ id: 'u2', name: 'Ada Birch' }] })
    const reasons = await world.database.localRevs.toCollection().sortBy('id')
    expect(reasons.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['pre-merge-mine', 'pre-merge-theirs']),
    )
  })

  test('later edits are not in it, also when a second merge comes before it was read', async () => {
    const edit = await open('tab')
    await meetOnServer(edit, ['one', 'two theirs', 'three'])
    edit.editor.type(' later', 2)
    await world.pass(3_000)
    world.server.change('a1', { text: doc('one mine', 'two theirs', 'three later', 'four') })
    edit.editor.type(' again', 0)
    await world.pass(3_000)
    expect(await told()).toBe(
      'one mine again|two|three later > one mine again|two theirs|three later|four',
    )
  })

  test('is shown in another tab and after a reload, until one of them dismisses it', async () => {
    const edit = await open('tab')
    await meetOnServer(edit, ['one', 'two theirs', 'three'])
    edit.tab.kill()
    await open('later')
    expect(await told()).not.toBeNull()
    await closeRemoteChanges(world.database, 'a1')
    expect(await told()).toBeNull()
  })
})

describe('no notice is shown', () => {
  test('when two tabs of this device edit the same text', {
    tags: ['@fault-21'],
  }, async () => {
    const [left, right] = [await open('left'), await open('right')]
    for (let round = 0; round < 5; round += 1) {
      left.editor.type(` l${round}`, 0)
      right.editor.type(` r${round}`, 2)
      await world.pass(1_300)
    }
    await world.pass(3_000)
    expect(left.editor.words).toBe(right.editor.words)
    expect(await notice()).toBeNull()
  })

  test('when the server already has the same text', async () => {
    const edit = await open('tab')
    await meetOnServer(edit, ['one mine', 'two', 'three'])
    expect(await notice()).toBeNull()
  })

  test('of changes that this user made on another device before the article was opened', async () => {
    const { agency, open } = await visited()
    await agency.write(agency.writer, doc('one', 'two'))
    await agency.pass(61_000)
    expect((await open()).editor.words).toContain('two')
    expect(await readRemoteChanges(agency.database, agency.article)).toBeNull()
  })

  test('of such changes that come after it was opened', async () => {
    const { agency, open, notice } = await visited()
    agency.line.down = true
    await agency.write(agency.writer, doc('one', 'two'))
    await agency.pass(60_000)
    const { editor } = await open()
    agency.line.down = false
    await agency.pass(61_000)
    expect(editor.words).toBe('one\ntwo')
    expect(await notice()).toBeNull()
  })
})

/** An article that was opened on this computer once, with the text 'one', and closed. */
async function visited() {
  const agency = await createAgencyWorld()
  await agency.write(agency.writer, doc('one'))
  const tab = await agency.tab('tab', { userId: agency.writer.id })
  await agency.pass(1_000)
  const open = () => tab.edit(agency.article)
  await (await open()).text.close()
  const notice = async () => {
    const known = await readRemoteChanges(agency.database, agency.article)
    const named = Object.entries(known?.kinds ?? {}).map(([kind, authors]) =>
      [kind, ...authors.map(({ name }) => name)].join(' '),
    )
    return known && named.join(', ')
  }
  return { agency, open, notice }
}

/** What decides is when the server stored a change, against when the page opened the article. */
describe('a change that comes after the article was opened', { tags: ['@SY-11'] }, () => {
  test('was made before that: the page shows its own copy first', async () => {
    const { agency, open, notice } = await visited()
    agency.line.down = true
    await agency.write(agency.admin, doc('one', 'two'))
    await agency.pass(600_000)
    const { editor } = await open()
    expect(editor.words).toBe('one')
    await agency.pass(300_000)
    agency.line.down = false
    await agency.pass(61_000)
    expect(editor.words).toBe('one\ntwo')
    expect(await notice()).toBe('away Oona Vale')
  })

  test('was made while the article was open here, on a device without a connection', async () => {
    const { agency, open, notice } = await visited()
    agency.line.down = true
    const { editor } = await open()
    await agency.pass(600_000)
    await agency.write(agency.admin, doc('one', 'two'))
    agency.sleep(4 * 3_600_000)
    agency.line.down = false
    await agency.pass(61_000)
    expect(editor.words).toBe('one\ntwo')
    expect(await notice()).toBe('open Oona Vale')
  })

  test('was made before that, and the settings of the article were changed later', async () => {
    const { agency, open, notice } = await visited()
    agency.line.down = true
    await agency.write(agency.admin, doc('one', 'two'))
    await agency.pass(60_000)
    await open()
    await agency.pass(60_000)
    await agency.settings({ name: 'Barley' })
    await agency.pass(60_000)
    agency.line.down = false
    await agency.pass(61_000)
    expect(await notice()).toBe('away Oona Vale')
  })

  test('is reported as what it is, with others that were made at another time', async () => {
    const { agency, open, notice } = await visited()
    const colleague = await agency.api.user({ name: 'Tobias Wren', role: 'admin' })
    await agency.write(agency.admin, doc('one', 'two'))
    await agency.pass(61_000)
    const { text } = await open()
    expect(await notice()).toBe('away Oona Vale')
    await agency.write(colleague, doc('one', 'two', 'three'))
    await agency.pass(1_000)
    expect(await notice()).toBe('away Oona Vale, open Tobias Wren')
    await text.close()
    await agency.write(colleague, doc('one', 'two', 'three', 'four'))
    await agency.pass(61_000)
    await open()
    expect(await notice()).toBe('away Oona Vale Tobias Wren, open Tobias Wren')
  })

  test('was made by this user on another device while the article was open here', async () => {
    const { agency, open, notice } = await visited()
    await open()
    await agency.pass(2_000)
    await agency.write(agency.writer, doc('one', 'two'))
    await agency.pass(1_000)
    expect(await notice()).toBe('open Imogen Hale')
  })
})

test('what others changed while the article was closed is shown when it is opened again', async () => {
  const edit = await open('tab')
  await edit.text.close()
  world.server.change('a1', { text: doc('one', 'two theirs', 'three') })
  await world.pass(61_000)
  expect(await notice()).toBeNull()
  world.server.change('a1', { text: doc('one', 'two theirs', 'three', 'four') })
  await world.pass(61_000)
  const again = await edit.tab.edit('a1')
  expect(again.editor.words).toContain('theirs')
  expect(await told()).toBe('one|two|three > one|two theirs|three|four')
  expect((await notice())?.kinds).toEqual({ away: [] })
})

test('a remote change of the open text shows a notice, though nothing was merged', async () => {
  const edit = await open('tab')
  world.server.change('a1', { text: doc('one', 'two theirs', 'three') })
  await world.pass(61_000)
  expect(edit.editor.words).toContain('theirs')
  expect(await told()).toBe('one|two|three > one|two theirs|three')
  expect((await notice())?.kinds).toEqual({ open: [] })
})

describe('where both wrote at one place', { tags: ['@SY-11', '@fault-22'] }, () => {
  const tobias = { id: 'u2', name: 'Tobias Wren' }
  const base = 'We planted.'
  const mine = `${base} It is wet.`
  const merged = `${base} It is cold. It is wet.`
  const wrote = { theirs: ' It is cold.', mine: ' It is wet.', isSentence: false }
  const change = { before: doc(mine), after: doc(merged), by: [tobias], at: 5 }
  async function placed(): Promise<Placing> {
    const place = await placing({ ...change, both: [wrote] })
    if (!place) throw new Error('There is a place')
    return place
  }
  const write = (scope: Parameters<typeof transact<'meta', void>>[3]) =>
    transact(world.database, 'rw', ['meta'], scope)

  /** 'theirs | mine' of each place. */
  async function places(): Promise<string[]> {
    const known = await notice()
    const text = plainText(known?.both?.text ?? {})
    const parts = (letters: { from: number; to: number }[]) =>
      letters.map(({ from, to }) => text.slice(from, to)).join('+')
    return (known?.both?.places ?? []).map(
      (place) => `${parts(place.theirs)} | ${parts(place.mine)}`,
    )
  }

  test('the notice has the words of each, also after later changes', async () => {
    const place = await placed()
    await write((tables) => noteMerged(tables, 'a1', change, place))
    expect(await places()).toEqual(['It is cold. | It is wet.'])
    const later = { before: doc('New.', merged), after: doc('New.', `${merged} So.`) }
    await write((tables) => noteFollowed(tables, 'a1', { ...change, ...later, madeAt: 7 }))
    await markRemoteChangesShown(world.database, 'a1', { openedAt: 6, userId: 'u1' })
    expect(await places()).toEqual(['It is cold. | It is wet.'])
    expect((await notice())?.kinds).toEqual({ merged: [tobias], open: [tobias] })
    await closeRemoteChanges(world.database, 'a1')
    expect(await places()).toEqual([])
  })

  test('words merged before they were in the draft are known too', async () => {
    const followed = { ...change, before: doc(base), after: doc(`${base} It is cold.`), madeAt: 4 }
    await write((tables) => noteFollowed(tables, 'a1', followed))
    const typed = { text: doc(merged), at: 5, place: await placed() }
    await write((tables) => noteMergedUnshown(tables, 'a1', typed))
    expect(await places()).toEqual(['It is cold. | It is wet.'])
    expect((await notice())?.kinds).toEqual({ merged: [tobias] })
    expect(await told()).toBe(`${mine} > ${merged}`)
  })

  test('another tab of this device is no other writer', async () => {
    const typed = { text: doc(merged), at: 5, place: await placed() }
    await write((tables) => noteMergedUnshown(tables, 'a1', typed))
    expect(await notice()).toBeNull()
  })
})

test.each([
  [{ merged: true, shown: true }, { merged: [] }],
  [{ merged: false, shown: true }, { open: [] }],
  [{ merged: false, shown: true, away: true }, { away: [] }],
  [{ merged: false, shown: false }, undefined],
])('a notice that an earlier release wrote is read: %j', async (row, kinds) => {
  const value = { before: doc('one'), after: doc('one', 'two'), by: [], at: 5, ...row }
  await world.database.meta.put({ key: 'elsewhere:a1', value })
  expect((await notice())?.kinds).toEqual(kinds)
  await open('tab')
  expect((await notice())?.kinds).toEqual(kinds ?? { away: [] })
  expect(await told()).toBe('one > one|two')
})

test('the notice is removed with the text of an article that may not be read any more', {
  tags: ['@AC-21'],
}, async () => {
  const edit = await open('tab')
  await meetOnServer(edit, ['one', 'two theirs', 'three'])
  world.server.refuse('a1', 404)
  edit.editor.type(' more')
  await world.pass(5_000)
  expect(await notice()).toBeNull()
})

describe('the author of the changes', () => {
  async function atAgency() {
    const agency = await createAgencyWorld()
    await agency.write(agency.writer, doc('one', 'two', 'three'))
    const tab = await agency.tab('tab')
    await agency.pass(1_000)
    const { editor } = await tab.edit(agency.article)
    const by = async () => {
      const known = await readRemoteChanges(agency.database, agency.article)
      return known?.kinds
    }
    return { agency, editor, by }
  }

  test('is known also when the notification came before the response to a save', {
    tags: ['@fault-22'],
  }, async () => {
    const { agency, editor, by } = await atAgency()
    editor.type(' mine', 0)
    await agency.pass(500)
    await agency.write(agency.admin, doc('one', 'two theirs', 'three'))
    await agency.pass(300)
    expect(agency.line.statuses).not.toContain(412)
    expect((await agency.database.docs.get(agency.article))?.by?.name).toBe('Oona Vale')
    await agency.pass(3_000)
    expect(agency.line.statuses).not.toContain(412)
    expect(editor.words).toBe('one mine\ntwo theirs\nthree')
    expect(await by()).toEqual({ merged: [{ id: agency.admin.id, name: 'Oona Vale' }] })
  })

  test('is known without local edits', async () => {
    const { agency, by } = await atAgency()
    await agency.write(agency.admin, doc('one', 'two theirs', 'three'))
    await agency.pass(1_000)
    expect(await by()).toEqual({ open: [{ id: agency.admin.id, name: 'Oona Vale' }] })
  })
})
