import { expect, test } from 'vitest'
import { filterKey, readProgressAddress, writeProgressAddress } from './progress-address.ts'

const CLIENT = '0191d5f0-0000-7000-8000-000000000001'

test('an address has the filters, the order and the page', () => {
  const query = `search=oak&client=${CLIENT}&sort=words%3Adesc&page=3&state=reopened&due=this-week`
  const address = readProgressAddress(new URLSearchParams(query))
  expect(address).toEqual({
    search: 'oak',
    clientIds: [CLIENT],
    lacks: [],
    sort: { field: 'words', direction: 'desc' },
    page: 3,
    state: 'reopened',
    due: 'this-week',
  })
  expect(writeProgressAddress(address).toString()).toBe(query)
})

test('what an address cannot say counts as absent', () => {
  const address = readProgressAddress(
    new URLSearchParams('state=toString&due=soon&sort=risk&without=entities'),
  )
  expect(address).toMatchObject({ state: undefined, due: undefined, sort: null, lacks: [] })
})

test('order and page list the same articles, a filter does not', () => {
  const of = (query: string) => filterKey(readProgressAddress(new URLSearchParams(query)))
  expect(of('due=late&sort=words&page=2')).toBe(of('due=late'))
  expect(of('due=late')).not.toBe(of('due=none'))
})
