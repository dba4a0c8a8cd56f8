import { describe, expect, it } from 'vitest'
import { nextSort, readListAddress, writeListAddress } from './list-address.ts'

const FIELDS = ['name', 'client'] as const
const A = '01890000-0000-7000-8000-00000000000a'
const B = '01890000-0000-7000-8000-00000000000b'

const read = (query: string) => readListAddress(new URLSearchParams(query), FIELDS)
const FIRST = { search: '', clientIds: [], lacks: [], sort: null, page: 1 }

describe('the address of a list', () => {
  it.each([
    ['', FIRST],
    ['search=oak', { ...FIRST, search: 'oak' }],
    ['search=%20oak%20', { ...FIRST, search: 'oak' }],
    [`client=${A}&client=${B}`, { ...FIRST, clientIds: [A, B] }],
    ['without=client&without=entities', { ...FIRST, lacks: ['entities', 'client'] }],
    ['without=client&without=everything', { ...FIRST, lacks: ['client'] }],
    ['sort=name', { ...FIRST, sort: { field: 'name', direction: 'asc' } }],
    ['sort=client%3Adesc', { ...FIRST, sort: { field: 'client', direction: 'desc' } }],
    ['page=12', { ...FIRST, page: 12 }],
  ])('reads %s', { tags: ['@AC-17', '@AA-32'] }, (query, address) => {
    expect(read(query)).toEqual(address)
  })

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=two',
    'page=99999999',
    'sort=password',
    'sort=name:up',
    'sort=',
    'client=',
    'client=../users',
    'search=%20',
    'limit=1000',
  ])('leaves out what makes no sense: %s', (query) => {
    expect(read(query)).toEqual(FIRST)
  })

  it('never asks for more than the server takes', () => {
    const ids = Array.from({ length: 1_200 }, (_, n) =>
      A.replace(/.{12}$/, n.toString(16).padStart(12, '0')),
    )
    const query = new URLSearchParams(ids.map((id) => ['client', id]))
    query.set('search', 'x'.repeat(300))
    query.set('page', '1000001')
    const address = readListAddress(query, FIELDS)
    expect(address.clientIds).toHaveLength(1_000)
    expect(address.search).toHaveLength(200)
    expect(address.page).toBe(1_000_000)
  })

  it('counts a client that comes twice once', () => {
    expect(read(`client=${A}&client=${A}`).clientIds).toEqual([A])
  })

  it.each([
    FIRST,
    { search: 'oak & ash', clientIds: [], lacks: ['client'], sort: null, page: 7 },
    {
      search: '',
      clientIds: [B, A],
      lacks: ['completion', 'entities'],
      sort: { field: 'name', direction: 'desc' },
      page: 1,
    },
    {
      search: '100 %',
      clientIds: [A],
      lacks: [],
      sort: { field: 'client', direction: 'asc' },
      page: 2,
    },
  ] as const)('reads back what it writes: %o', (address) => {
    expect(readListAddress(writeListAddress(address), FIELDS)).toEqual(address)
  })

  it('says nothing about what is the default', () => {
    expect(String(writeListAddress(FIRST))).toBe('')
  })
})

describe('a press on a head', () => {
  it.each([
    [null, { field: 'name', direction: 'asc' }],
    [
      { field: 'name', direction: 'asc' },
      { field: 'name', direction: 'desc' },
    ],
    [{ field: 'name', direction: 'desc' }, null],
    [
      { field: 'client', direction: 'desc' },
      { field: 'name', direction: 'asc' },
    ],
  ] as const)('leads from %o to %o', { tags: ['@AU-14'] }, (before, after) => {
    expect(nextSort<'name' | 'client'>(before, 'name')).toEqual(after)
  })
})
