import { expect, test } from 'vitest'
import { readArticleView } from '../status/article-view.ts'
import { createAgencyWorld } from '../testing/test-agency.ts'
import { createWorld, doc } from '../testing/test-world.ts'

/** A device that goes to sleep in the middle of its work and wakes after a night. */

const NIGHT = 8 * 60 * 60_000

test('a request in flight is aborted after the sleep, and retried unchanged', {
  tags: ['@fault-56'],
}, async () => {
  const world = await createWorld()
  world.server.add('a1', doc('one'))
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a1')
  world.server.fates.push('never')
  editor.type(' two')
  await world.pass(6_000)
  expect(world.server.patches()).toEqual(['1000 PATCH a1 t1 "one two" k1'])
  world.sleep(NIGHT)
  tab.client.wake()
  await world.pass(14_999)
  expect(world.server.patches()).toEqual([])
  await world.pass(60_000)
  const awake = 6_000 + NIGHT
  expect(world.server.patches()).toEqual([
    `${awake + 15_000} timeout`,
    `${awake + 15_000} PATCH a1 t1 "one two" k1`,
    `${awake + 15_000} 200 t2`,
  ])
  expect(await readArticleView(world.database, 'a1')).toMatchObject({
    saveLine: 'saved',
    warning: null,
  })
})

test('a stream that is silent after the sleep is reopened immediately', {
  tags: ['@fault-56'],
}, async () => {
  const world = await createAgencyWorld({ accessTokenMinutes: 600 })
  const tab = await world.tab('tab')
  await world.pass(1_000)
  world.line.deaf = true
  await world.settings({ name: 'Rolled oats' })
  world.sleep(NIGHT)
  world.line.deaf = false
  world.asked()
  tab.client.wake()
  await world.pass(2_000)
  expect(world.asked()).toContain('STREAM')
  expect(await readArticleView(world.database, world.article)).toMatchObject({
    name: 'Rolled oats',
  })
  expect(world.line.streams()).toBe(1)
})

test('an edit after the sleep is sent a second later, not at the time scheduled before it', {
  tags: ['@fault-56'],
}, async () => {
  const world = await createWorld()
  world.server.add('a1', doc('one'))
  const tab = await world.tab('tab')
  const { editor } = await tab.edit('a1')
  await world.pass(5_000)
  world.sleep(NIGHT)
  tab.client.wake()
  await world.pass(100)
  editor.type(' two')
  await world.pass(2_000)
  expect(world.server.words('a1')).toBe('one two')
})
