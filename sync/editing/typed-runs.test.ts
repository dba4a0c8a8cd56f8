import { beforeEach, describe, expect, test } from 'vitest'
import { createWorld, doc, type World } from '../testing/test-world.ts'
import { runsAfter } from './typed-runs.ts'

/** A sentence whose first half was saved while the user was typing it. */
let world: World

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('We planted.', 'Then we rested.'))
})

const HALF = ' The soil was wet'
const REST = ' and the roots were slow.'
const OTHERS = 'We planted. The soil was wet The first year was hard.'
const WHOLE =
  'We planted. The soil was wet and the roots were slow. The first year was hard.\nThen we rested.'

async function halfSaved() {
  const tab = await world.tab('tab')
  const edit = await tab.edit('a1')
  edit.editor.type(HALF, 0)
  await world.pass(3_000)
  return edit
}

describe('another user wrote behind the half of a sentence:', { tags: ['@SY-11'] }, () => {
  test('its rest comes before that', async () => {
    const { editor } = await halfSaved()
    world.server.change('a1', { text: doc(OTHERS, 'Then we rested.') })
    editor.type(REST, 0)
    await world.pass(3_000)
    expect(editor.words).toBe(WHOLE)
    expect(world.server.words('a1')).toBe(WHOLE)
  })

  test('so it does where the user went on elsewhere before that was sent', async () => {
    const { editor } = await halfSaved()
    world.server.change('a1', { text: doc(OTHERS, 'Then we rested.') })
    editor.type(REST, 0)
    editor.type(' Twice.', 1)
    await world.pass(3_000)
    expect(editor.words).toBe(`${WHOLE} Twice.`)
  })

  test('and where the page was closed in between', async () => {
    const { editor, text } = await halfSaved()
    world.server.offline = true
    editor.type(REST, 0)
    await text.flush()
    await text.close()
    world.server.change('a1', { text: doc(OTHERS, 'Then we rested.') })
    world.server.offline = false
    const again = await (await world.tab('later')).edit('a1')
    await world.pass(60_000)
    expect(again.editor.words).toBe(WHOLE)
  })
})

/** What the editor has as the run after each of a user's edits. */
test.each([
  ['a sentence is typed', ['T', 'Th', 'The soil', 'The soil was'], ['The soil was']],
  ['a letter is taken back', ['The soiln', 'The soil', 'The soil was'], ['The soil was']],
  ['a word is taken back', ['The soil was ', 'The soil ', 'The soil is'], ['The soil is']],
  ['another begins with the same space', [' The soil was', ' ', ' It'], [' The soil was', ' It']],
  [
    'another begins with the same word',
    ['The soil was', 'T', 'The', 'The roof'],
    ['The soil was', 'The roof'],
  ],
])('the runs of a user, where %s', (_, given, runs) => {
  expect(given.reduce<readonly string[]>(runsAfter, [])).toEqual(runs)
})
