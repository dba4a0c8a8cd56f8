import { expect, test } from 'vitest'
import { byName } from './by-name.ts'

test('AA-04 clients stand in the order of the alphabet, whatever the case', () => {
  const names = ['Moon 10', 'larkspur', 'Éclat', 'Moon 9', 'aldersea', 'Harbour', 'Aldersea West']
  expect(names.toSorted(byName.compare)).toEqual([
    'aldersea',
    'Aldersea West',
    'Éclat',
    'Harbour',
    'larkspur',
    'Moon 9',
    'Moon 10',
  ])
})
