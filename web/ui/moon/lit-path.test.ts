import { expect, test } from 'vitest'
import { litPath } from './lit-path.ts'

test.each([
  { k: 0, edge: 50 },
  { k: 0.25, edge: 25 },
  { k: 0.5, edge: 0 },
  { k: 0.75, edge: -25 },
  { k: 1, edge: -50 },
  { k: -1, edge: 50 },
  { k: 9, edge: -50 },
])('the lit part of a moon at $k begins at $edge on its middle line', ({ k, edge }) => {
  expect(litPath(k)).toContain(` ${edge} 0 C${edge} `)
})

test('every phase is drawn by the same commands, so that one can grow into another', () => {
  const commands = (k: number) => litPath(k).replace(/[^A-Z]/g, '')
  expect([0, 0.3, 0.5, 0.9, 1].map(commands)).toEqual(Array(5).fill('MACCZ'))
})
