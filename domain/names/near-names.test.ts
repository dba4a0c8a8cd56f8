import { expect, test } from 'vitest'
import { nearNames } from './near-names.ts'

const clients = [
  'Larkspur Gardens',
  'Harbour & Hearth Kitchens Ltd',
  'Fathom Coffee',
  'Café Nord GmbH',
  'Moon',
  'Oak',
  'Oak & Sons',
  'The Oak Company',
].map((name, id) => ({ id, name }))
const near = nearNames(clients, 3)

test.each([
  ['Harbour and Hearth', ['Harbour & Hearth Kitchens Ltd']],
  ['Hearth Harbour Kitchens', ['Harbour & Hearth Kitchens Ltd']],
  ['FathomCoffee', ['Fathom Coffee']],
  ['Fathom Coffees Inc.', ['Fathom Coffee']],
  ['Cafe Nord', ['Café Nord GmbH']],
  ['Larkspur Gaardns', ['Larkspur Gardens']],
  ['Larkspur Hotels', []],
  ['Mood', ['Moon']],
  ['Ok', []],
  ['Oak Ltd', ['Oak', 'The Oak Company', 'Oak & Sons']],
  ['And', []],
])('%s is near %j', (name, names) => {
  expect(near(name).map((client) => client.name)).toEqual(names)
})
