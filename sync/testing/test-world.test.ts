import { expect, test } from 'vitest'
import { createWorld } from './test-world.ts'

const { setTimeout, setImmediate, structuredClone } = globalThis

test('a world replaces the timers of the process', async () => {
  await createWorld()
  expect(globalThis.setTimeout).not.toBe(setTimeout)
})

test('the timers and shortcuts of the process are its own again at the end of a test', () => {
  expect(globalThis).toMatchObject({ setTimeout, setImmediate, structuredClone })
})
