import { beforeEach, expect, test } from 'vitest'
import { errorBody } from '../testing/test-server.ts'
import { createWorld, doc, type World } from '../testing/test-world.ts'
import { readWaiting } from './waiting-changes.ts'

let world: World

beforeEach(async () => {
  world = await createWorld()
  for (const id of ['a1', 'a2', 'a3']) world.server.add(id, doc('one'))
})

const waiting = () => readWaiting(world.database)

test('lists the pending changes of every article, the reason, and the time of the next try', {
  tags: ['@ED-24'],
}, async () => {
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a1')
  expect(await waiting()).toEqual([])
  editor.type(' two')
  await world.pass(150)
  expect(await waiting()).toMatchObject([
    { articleId: 'a1', name: 'Article a1', kind: 'text', since: 0, state: { kind: 'sending' } },
  ])
  world.server.offline = true
  void tab.client.setCompleted('a1', true)
  await world.pass(1_500)
  expect(await waiting()).toMatchObject([
    { kind: 'text', state: { kind: 'failed', isAnswered: false } },
    { kind: 'completion', state: { kind: 'sending' } },
  ])
  world.server.offline = false
  world.server.always.set('a1', { status: 503, json: errorBody(503, 'Busy') })
  await world.pass(10_000)
  const [text] = await waiting()
  expect(text?.state).toMatchObject({ kind: 'failed', isAnswered: true, error: 'Busy' })
  world.server.always.clear()
  await world.pass(60_000)
  expect(await waiting()).toEqual([])
})

test('lists what the server refused, and what this device could not store', {
  tags: ['@ER-11'],
}, async () => {
  const tab = await world.tab('tab')
  const blocked = await tab.edit('a2')
  const unkept = await tab.edit('a3')
  world.server.always.set('a2', { status: 413, json: errorBody(413, 'Too large') })
  blocked.editor.type(' two')
  await world.pass(3_000)
  world.server.always.set('a3', { status: 404, json: errorBody(404, 'Gone') })
  const full = () => {
    throw new Error('Full')
  }
  world.database.drafts.hook('updating').subscribe(full)
  unkept.editor.type(' two')
  await world.pass(3_000)
  expect((await waiting()).map(({ articleId, state }) => [articleId, state])).toEqual([
    ['a3', { kind: 'memory', refusal: { reason: 'deleted', message: 'Gone' } }],
    ['a2', { kind: 'blocked', reason: 'too-large', message: null }],
  ])
})
