import { beforeEach, describe, expect, it } from 'vitest'
import { compareNames } from '../../domain/names/folded-name.ts'
import { createTestApp, type TestApp, type TestUser } from './test-app.ts'

let app: TestApp
let admin: TestUser
let made = 0
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ role: 'admin', name: 'Ada', email: 'ada@ash.example' })
})

type Named = { id: string; name: string }

const list = async (path: string): Promise<Named[]> => {
  const answer = await app.as(admin).get(`/v1/${path}`)
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json()).results
}
const namesOf = async (path: string) => (await list(path)).map(({ name }) => name)

async function make(name: string) {
  const { post } = app.as(admin)
  made += 1
  const user = {
    name,
    email: `u${made}@ash.example`,
    password: 'a river of ink',
    role: 'user',
  }
  const answers = [
    await post('/v1/articles', { name, clientId: null, wordMinimum: 5, articleText: {} }),
    await post('/v1/clients', { name }),
    await post('/v1/users', user),
  ]
  return Promise.all(
    answers.map(async (answer) => ({ status: answer.status, body: await answer.json() })),
  )
}

const LISTS = ['articles', 'clients', 'users']
const NAMES = [
  'Zebra',
  'Élan',
  'east',
  'Ąžuolas',
  'apple',
  'Eden',
  'Łódź',
  'moon',
  'İstanbul',
  'ivy',
  'Ewe',
]

describe('names', () => {
  it('are stored in NFC, without invisible characters at their ends', async () => {
    const created = await make('\u202a\tZoe\u0308 Oak\u200b\u202c')
    const paths = ['articles/admin', 'clients', 'users']
    for (const [at, { status, body }] of created.entries()) {
      expect([status, body.name]).toEqual([201, 'Zoë Oak'])
      const path = `/v1/${paths[at]}/${body.id}`
      const answer = await app.as(admin).patch(path, { name: '\ufeffNoe\u0308l' })
      expect([path, (await answer.json()).name]).toEqual([path, 'Noël'])
      expect(await namesOf(`${LISTS[at]}?name=noel`)).toEqual(['Noël'])
    }
  })

  it('keep the marks that their script needs', async () => {
    for (const { status, body } of await make('דנה\u200f (1)')) {
      expect([status, body.name]).toEqual([201, 'דנה\u200f (1)'])
    }
  })

  it('with bidirectional overrides inside are refused with a message', async () => {
    for (const { status, body } of await make('Ada\u202eecalevoL')) {
      expect([status, body.message]).toEqual([
        400,
        '"name" has hidden characters that change the direction of its text',
      ])
    }
  })

  it('are found in every spelling', { tags: ['@AP-13', '@Q88'] }, async () => {
    for (const name of NAMES) await make(name)
    for (const [search, name] of [
      ['istanbul', 'İstanbul'],
      ['ISTANBUL', 'İstanbul'],
      ['\u00e9lan', 'Élan'],
      ['e\u0301lan', 'Élan'],
      ['ELAN', 'Élan'],
      ['a\u0328žuo', 'Ąžuolas'],
      ['azuol', 'Ąžuolas'],
      ['lodz', 'Łódź'],
      ['\u200ełódź\ufeff', 'Łódź'],
    ] as const) {
      for (const of of LISTS) {
        expect([of, search, await namesOf(`${of}?name=${encodeURIComponent(search)}`)]).toEqual([
          of,
          search,
          [name],
        ])
      }
    }
  })

  it('have the same order in every list and on the page', {
    tags: ['@AA-04', '@Q68'],
  }, async () => {
    for (const name of NAMES) await make(name)
    const inOrder = NAMES.toSorted(compareNames)
    expect(inOrder.slice(0, 5)).toEqual(['apple', 'Ąžuolas', 'east', 'Eden', 'Élan'])
    for (const of of LISTS) {
      const up = await namesOf(`${of}?limit=100&sortBy=name`)
      const down = await namesOf(`${of}?limit=100&sortBy=name:desc`)
      const all = of === 'users' ? ['Ada', ...NAMES].toSorted(compareNames) : inOrder
      expect([of, up, down]).toEqual([of, all, all.toReversed()])
    }
    for (const { id, name } of await list('clients?limit=100')) {
      const made = await app.as(admin).post('/v1/articles', {
        name: `of ${name}`,
        clientId: id,
        wordMinimum: 5,
        articleText: {},
      })
      expect(made.status).toBe(201)
    }
    const byClient = await namesOf('articles?limit=100&sortBy=client&hasClient=true')
    expect(byClient).toEqual(inOrder.map((name) => `of ${name}`))
  })
})

describe('a search', () => {
  const ANYTHING = [
    '%00',
    'a%00b',
    'x'.repeat(5_000),
    '%ed%a0%80',
    '%ff',
    '%',
    '%zz',
    'a%0d%0ab',
    'a%09b',
    '%E2%80%AEoat',
    '%E2%80%8B',
    '%F0%9F%98%80'.repeat(150),
    '%22',
    "'",
    '%5C',
    '*',
    'NEAR(',
    '%CC%81'.repeat(200),
    '%EF%BB%BF',
    '%E1%85%9F',
  ]

  it.each(ANYTHING)('for %s is answered', { tags: ['@Q88'] }, async (words) => {
    await make('Oat bread')
    for (const of of [...LISTS, 'articles/admin/counts']) {
      const answer = await app.as(admin).get(`/v1/${of}?name=${words}`)
      expect([of, answer.status]).toEqual([of, 200])
    }
  })

  it('takes a line of a spreadsheet', { tags: ['@Q88'] }, async () => {
    await make('Oat bread')
    expect(await namesOf('articles?name=%E2%80%AAoat%09bread%E2%80%AC%0D%0A')).toEqual([
      'Oat bread',
    ])
  })
})

it('takes an address with unseen marks around it', { tags: ['@AU-13'] }, async () => {
  await app.user({ email: 'zoe@ash.example', password: 'a river of ink' })
  for (const email of [
    '\u202azoe@ash.example\u202c',
    '\ufeffZoe@ash.example\t',
    '\u200bzoe@ash.example\u2060',
  ]) {
    const answer = await app.as(null).post('/v1/auth/login', { email, password: 'a river of ink' })
    expect(answer.status).toBe(200)
  }
})
