import { beforeEach, describe, expect, test } from 'vitest'
import { plainText } from '../../domain/article-text.ts'
import { createAgencyWorld } from '../testing/test-agency.ts'
import { createWorld, doc, type World } from '../testing/test-world.ts'
import { closeRemoteChanges, readRemoteChanges } from './remote-changes.ts'

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
    expect(known).toMatchObject({ by: [{ id: 'u2', name: 'Ada Birch' }], merged: true })
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

  test('of changes that this user made on another device', async () => {
    const agency = await createAgencyWorld()
    await agency.write(agency.writer, doc('one'))
    const tab = await agency.tab('tab', { userId: agency.writer.id })
    await agency.pass(1_000)
    const { text } = await tab.edit(agency.article)
    await text.close()
    await agency.write(agency.writer, doc('one', 'two'))
    await agency.pass(61_000)
    expect((await tab.edit(agency.article)).editor.words).toContain('two')
    expect(await readRemoteChanges(agency.database, agency.article)).toBeNull()
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
  expect(await notice()).toMatchObject({ away: true, merged: false })
})

test('a remote change of the open text shows a notice, though nothing was merged', async () => {
  const edit = await open('tab')
  world.server.change('a1', { text: doc('one', 'two theirs', 'three') })
  await world.pass(61_000)
  expect(edit.editor.words).toContain('theirs')
  expect(await told()).toBe('one|two|three > one|two theirs|three')
  expect(await notice()).toMatchObject({ merged: false, by: [] })
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
      return known && { merged: known.merged, by: known.by.map(({ name }) => name) }
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
    expect(await by()).toEqual({ merged: true, by: ['Oona Vale'] })
  })

  test('is known without local edits', async () => {
    const { agency, by } = await atAgency()
    await agency.write(agency.admin, doc('one', 'two theirs', 'three'))
    await agency.pass(1_000)
    expect(await by()).toEqual({ merged: false, by: ['Oona Vale'] })
  })
})
