import { expect, test } from 'vitest'
import { writtenScript } from './pasted-superscripts.ts'

test.each([
  ['sup', 'enough', '1', '¹'],
  ['sup', 'enough', ' 12 ', '¹²'],
  ['sup', '10', '-3', '⁻³'],
  ['sup', '10', '−3', '⁻³'],
  ['sup', 'x', 'n+1', 'ⁿ⁺¹'],
  ['sup', 'x', '(i)', '⁽ⁱ⁾'],
  ['sub', 'H', '2', '₂'],
  ['sub', 'x', 'i=0', 'ᵢ₌₀'],
  ['sup', 'enough', '1, 2', '[1, 2]'],
  ['sup', 'enough', '*', '*'],
  ['sup', 'enough', '2a', '[2a]'],
  ['sup', 'enough', 'a', '[a]'],
  ['sup', 'enough', '[1]', '[1]'],
  ['sup', 'enough', '(12)', '⁽¹²⁾'],
  ['sup', '4', 'th', 'th'],
  ['sup', '21', 'e', 'e'],
  ['sup', 'XIX', 'e', 'e'],
  ['sup', 'M', 'me', 'me'],
  ['sup', 'Lamps', 'TM', 'TM'],
  ['sub', 'v', 'max', 'max'],
  ['sup', 'enough', '¹', '¹'],
  ['sup', 'enough', '®', '®'],
] as const)('<%s> behind %j: %j is written %j', (kind, before, text, written) => {
  expect(writtenScript(kind, text, before)).toBe(written)
})
