import { describe, expect, test } from 'vitest'
import type { Session } from '../../domain/wire/users.ts'
import { createSessions } from './session.ts'

const sessionOf = (id: string, token = 'access-1'): Session => ({
  user: {
    id,
    name: 'Imogen Hale',
    fullName: 'Imogen Hale',
    email: 'imogen@larkspurgardens.example',
    isEmailVerified: false,
    role: 'user',
  },
  tokens: {
    access: { token, expires: '2026-06-03T11:00:00.000Z' },
    refresh: { token: 'refresh-1', expires: '2026-07-03T10:00:00.000Z' },
  },
})

const USER_1 = { id: 'u1', email: 'imogen@larkspurgardens.example' }

/** The local storage of one browser and the storage events that one of its tabs receives. */
function browser(stored: string | null = null) {
  const records = new Map<string, string>(stored === null ? [] : [['user', stored]])
  type Heard = (event: { key: string | null; newValue: string | null }) => void
  const heard = new Map<string, Heard>()
  const dispatch = (key: string, newValue: string | null) =>
    heard.get('storage')?.({ key, newValue })
  return {
    storage: {
      getItem: (key: string) => records.get(key) ?? null,
      setItem: (key: string, value: string) => void records.set(key, value),
      removeItem: (key: string) => void records.delete(key),
    },
    events: {
      addEventListener: (type: string, listener: Heard) => void heard.set(type, listener),
    },
    record: () => records.get('user') ?? null,
    otherTabWrites(session: Session | null) {
      if (session) records.set('user', JSON.stringify(session))
      else records.delete('user')
      dispatch('user', records.get('user') ?? null)
    },
    otherTabEnds(userId: string) {
      dispatch('contun-ended', userId)
      dispatch('contun-ended', null)
      records.delete('user')
      dispatch('user', null)
    },
    isLeft: () => heard.get('pagehide')?.({ key: null, newValue: null }),
  }
}

describe('the stored session', () => {
  test('lives under the key user, with user and tokens', {
    tags: ['@LO-10', '@ST-01', '@ST-02', '@ST-04', '@CN-11', '@Q82'],
  }, () => {
    const { storage, record } = browser()
    createSessions(storage).write(sessionOf('u1'))
    expect(JSON.parse(record() ?? '')).toEqual(sessionOf('u1'))
  })

  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['no access token', JSON.stringify({ ...sessionOf('u1'), tokens: {} })],
    ['an empty access token', JSON.stringify(sessionOf('u1', ''))],
  ])('with %s stored no user is logged in', { tags: ['@ST-03'] }, (_, stored) => {
    expect(createSessions(browser(stored).storage).store.getState().session).toBeNull()
  })

  test('logging out removes the record and is recorded as the user’s request', {
    tags: ['@ST-06'],
  }, () => {
    const { storage, record } = browser(JSON.stringify(sessionOf('u1')))
    const sessions = createSessions(storage)
    sessions.leave()
    expect(record()).toBeNull()
    expect(sessions.store.getState()).toMatchObject({ session: null, leftOnPurpose: true })
  })

  test('a session ended by the server is not recorded as the user’s request', {
    tags: ['@ST-12', '@Q7'],
  }, () => {
    const sessions = createSessions(browser(JSON.stringify(sessionOf('u1'))).storage)
    sessions.write(null)
    expect(sessions.store.getState()).toEqual({
      session: null,
      leftOnPurpose: false,
      lastUserId: 'u1',
      endedUser: USER_1,
    })
  })
})

describe('what other tabs do', () => {
  function follow() {
    const tab = browser(JSON.stringify(sessionOf('u1')))
    const sessions = createSessions(tab.storage)
    const story: string[] = []
    let flushed = () => {}
    sessions.follow(tab.events, () => {
      story.push('flush')
      return new Promise((done) => {
        flushed = done
      })
    })
    sessions.store.subscribe(({ session }) => story.push(session?.user.id ?? 'nobody'))
    return { ...tab, story, sessions, flushed: () => flushed() }
  }
  const settled = () => new Promise((done) => setImmediate(done))

  test('a sign-out there is shown here only after open texts are on disk', {
    tags: ['@Q83'],
  }, async () => {
    const tab = follow()
    tab.otherTabWrites(null)
    await settled()
    expect(tab.story).toEqual(['flush'])
    tab.flushed()
    await settled()
    expect(tab.story).toEqual(['flush', 'nobody'])
  })

  test('another user signing in there makes this tab flush and leave', {
    tags: ['@Q83'],
  }, async () => {
    const tab = follow()
    tab.otherTabWrites(sessionOf('u2'))
    tab.flushed()
    await settled()
    expect(tab.story).toEqual(['flush', 'u2'])
  })

  test.each([
    ['the server ended the session', (tab: Tab) => tab.otherTabEnds('u1'), USER_1],
    ['of another person the server ended the session', (tab: Tab) => tab.otherTabEnds('u2'), null],
    ['another tab logged out', (tab: Tab) => tab.otherTabWrites(null), null],
  ])('where there %s this tab reports: %#', { tags: ['@Q83'] }, async (_, happens, endedUser) => {
    const tab = follow()
    happens(tab)
    tab.flushed()
    await settled()
    expect(tab.sessions.store.getState()).toMatchObject({ session: null, endedUser })
  })

  test('a forced end belongs to the user of the record, also before this tab has shown the change', {
    tags: ['@Q83'],
  }, async () => {
    const tab = follow()
    tab.otherTabWrites(sessionOf('u2'))
    tab.sessions.write(null)
    expect(tab.sessions.store.getState().endedUser?.id).toBe('u2')
    tab.sessions.write(null)
    expect(tab.sessions.store.getState().endedUser?.id).toBe('u2')
  })

  test.each([
    ['the tab is left', (tab: Tab) => tab.isLeft()],
    ['another person logs in', (tab: Tab) => tab.otherTabWrites(sessionOf('u2'))],
    ['the same person logs in', (tab: Tab) => tab.sessions.write(sessionOf('u1'))],
  ])(
    'the user whose session was ended by force is known until %s',
    { tags: ['@Q83'] },
    async (_, happens) => {
      const tab = follow()
      tab.sessions.write(null)
      expect(tab.sessions.store.getState().endedUser).toEqual(USER_1)
      expect(tab.record()).toBeNull()
      expect(tab.storage.getItem('contun-ended')).toBeNull()
      happens(tab)
      await settled()
      expect(tab.sessions.store.getState().endedUser).toBeNull()
      if (tab.sessions.read()) tab.sessions.leave()
      expect(tab.sessions.store.getState().endedUser).toBeNull()
    },
  )

  type Tab = ReturnType<typeof follow>

  test('new tokens of the same user are adopted without a flush', {
    tags: ['@ST-08'],
  }, async () => {
    const tab = follow()
    tab.otherTabWrites(sessionOf('u1', 'access-2'))
    await settled()
    expect(tab.story).toEqual(['u1'])
  })
})
