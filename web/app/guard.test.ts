import { matchPath, matchRoutes } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../domain/wire/users.ts'
import { type Access, landingPath, redirectFor } from './guard.ts'
import { articlePath, clientsPath, hasFlag, paths, readWanted } from './paths.ts'
import { routes } from './routes.tsx'

const sessionOf = (role: 'admin' | 'user'): Session => ({
  user: {
    id: 'u1',
    name: 'Imogen Hale',
    fullName: 'Imogen Hale',
    email: 'imogen@larkspurgardens.example',
    isEmailVerified: false,
    role,
  },
  tokens: {
    access: { token: 'a', expires: '2020-01-01T00:00:00.000Z' },
    refresh: { token: 'r', expires: '2026-07-01T00:00:00.000Z' },
  },
})
const USER = sessionOf('user')
const ADMIN = sessionOf('admin')

const GUEST_PATHS = ['/login', '/register', '/forgot-password', '/reset-password', '/welcome']
const CLIENT_PATHS = ['/client/home', '/client/article/a1', '/client/profile']
const ADMIN_PATHS = [
  '/admin/home',
  '/admin/articles',
  '/admin/users',
  '/admin/clients/moonowl',
  '/admin/clients/external',
  '/admin/undelivered-texts',
  '/admin/texts',
]

/** The access level that the route table demands for `path`. */
function accessTo(path: string): Access {
  const guards = (matchRoutes(routes, path) ?? []).flatMap(({ route }) => {
    const element = route.element as { props?: { access?: Access } } | undefined
    return element?.props?.access ?? []
  })
  return guards[0] ?? 'open'
}

const outcome = (path: string, session: Session | null) => redirectFor(accessTo(path), session)

describe('redirect from the root', () => {
  test.each([
    ['without a token', null, '/login'],
    ['as an admin', ADMIN, '/admin/home'],
    ['as anybody else', USER, '/client/home'],
  ])('%s', { tags: ['@RT-01', '@RT-02', '@RT-03'] }, (_, session, target) => {
    expect(landingPath(session)).toBe(target)
  })
})

describe('guards of the route table', () => {
  test.each(GUEST_PATHS)(
    '%s is for guests, signed-in users are redirected home',
    {
      tags: ['@RT-06', '@RT-07', '@RT-08', '@RT-09', '@RT-10', '@RT-11', '@RT-12', '@RT-13', '@Q4'],
    },
    (path) => {
      expect([null, USER, ADMIN].map((session) => outcome(path, session))).toEqual([null, '/', '/'])
    },
  )

  test.each(CLIENT_PATHS)(
    '%s needs a token and no role',
    { tags: ['@RT-27', '@RT-28', '@RT-30', '@RT-32', '@PE-12', '@Q8', '@Q9', '@Q10'] },
    (path) => {
      expect([null, USER, ADMIN].map((session) => outcome(path, session))).toEqual([
        '/login',
        null,
        null,
      ])
    },
  )

  test.each(ADMIN_PATHS)(
    '%s needs a token and the admin role',
    { tags: ['@RT-26', '@RT-27', '@RT-31', '@ST-16', '@PE-12'] },
    (path) => {
      expect([null, USER, ADMIN].map((session) => outcome(path, session))).toEqual([
        '/login',
        '/client/home',
        null,
      ])
    },
  )

  test.each(['/guest/home', '/nowhere', '/client/elsewhere'])(
    '%s is open to all users',
    { tags: ['@RT-04', '@RT-33', '@Q1', '@Q11'] },
    (path) => {
      expect([null, USER, ADMIN].map((session) => outcome(path, session))).toEqual([
        null,
        null,
        null,
      ])
    },
  )

  test('the article page is the route named article', { tags: ['@RT-23', '@Q6'] }, () => {
    const match = matchRoutes(routes, articlePath('a/1'))?.at(-1)
    expect([match?.route.id, match?.params.articleId]).toEqual(['article', 'a/1'])
  })

  test('both client types have an address', { tags: ['@RT-16', '@RT-17'] }, () => {
    expect([clientsPath('moonowl'), clientsPath('external')]).toEqual(ADMIN_PATHS.slice(3, 5))
  })
})

describe('the return path of a forced login', { tags: ['@Q7'] }, () => {
  test('is where the login leads', () => {
    expect(redirectFor('guest', USER, '/client/article/a1')).toBe('/client/article/a1')
  })

  test.each([
    ['/client/article/a1', '/client/article/a1'],
    ['/admin/users?page=2', '/admin/users?page=2'],
    ['/login', null],
    ['//evil.example/client/home', null],
    ['https://evil.example/client/home', null],
    ['javascript:alert(1)', null],
    ['/nowhere', null],
    [{ pathname: '/client/home' }, null],
    [undefined, null],
  ])('%j is read as %j', (wanted, read) => {
    expect(readWanted({ wanted, by: null }, USER)).toBe(read)
  })

  test.each([
    ['nobody known', null, '/client/article/a1'],
    ['the same person', 'u1', '/client/article/a1'],
    ['somebody else', 'u2', null],
  ])('of %s leads a user who signs in to %j', (_, by, read) => {
    expect(readWanted({ wanted: '/client/article/a1', by }, USER)).toBe(read)
  })

  test.each([null, undefined, 'text', 7])('the state %j is ignored', (state) => {
    expect(readWanted(state, USER)).toBeNull()
  })
})

test.each([
  ['?emailSent', true],
  ['?emailSent=true', true],
  ['?emailSent=1', true],
  ['?emailSent=false', false],
  ['', false],
])('the flag in %j counts as %s', { tags: ['@LO-08', '@Q18'] }, (query, set) => {
  expect(hasFlag(new URLSearchParams(query), 'emailSent')).toBe(set)
})

test('every address of the table is a path of this origin', () => {
  for (const path of Object.values(paths)) expect(matchPath(path, path)).not.toBeNull()
})
