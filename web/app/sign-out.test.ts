import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { logoutTokenOf } from '../../domain/access/logout-token.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { Session, Token } from '../../domain/wire/users.ts'
import {
  openDeviceDatabase,
  readProfiles,
  recordProfile,
  unsentChanges,
} from '../../sync/device/device.ts'
import type { Clock } from '../../sync/ports.ts'
import { type LocalDatabase, openLocalDatabase } from '../../sync/store/database.ts'
import { putDraft, readDraft } from '../../sync/store/draft-rows.ts'
import { transact } from '../../sync/store/transaction.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import type { Accounts } from '../remote/accounts.ts'
import { createSessions } from './session.ts'
import { createSignOut } from './sign-out.ts'
import { createWorkspace } from './workspace.ts'
import { createWorkspaceStore } from './workspace-later.ts'

/** Signing out of one browser whose connection can be cut, over the real local database. */

const indexedDB = new IDBFactory()
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

/** Each story has its own user and so its own local database. */
const sessionOf = (id: string): Session => ({
  user: {
    id,
    name: 'Imogen Hale',
    fullName: 'Imogen Hale',
    email: 'imogen@larkspurgardens.example',
    isEmailVerified: false,
    role: 'user',
  },
  tokens: {
    access: { token: 'access', expires: '2026-06-03T10:30:00.000Z' },
    refresh: { token: 'refresh', expires: '2026-07-03T10:00:00.000Z' },
  },
})
const TEXT: ArticleDocument = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Only here so far.' }] }],
}
const CLOCK: Clock = { now: () => Date.UTC(2026, 5, 3, 10), after: () => () => {} }

function signedIn(session: Session) {
  const records = new Map<string, string>()
  const storage = {
    getItem: (key: string) => records.get(key) ?? null,
    setItem: (key: string, value: string) => void records.set(key, value),
    removeItem: (key: string) => void records.delete(key),
  }
  const story: string[] = []
  const network = { online: true, settles: true }
  const device = openDeviceDatabase()
  const sessions = createSessions(storage)
  sessions.write(session)
  const workspace = createWorkspace({
    store: createWorkspaceStore(),
    device,
    clock: CLOCK,
    openDatabase: openLocalDatabase,
    createClient: (_, database) => clientOver(database, story, network),
  })
  // As in the page: signing out closes the local copy.
  sessions.store.subscribe(({ session: now }) => {
    if (!now) void workspace.close()
  })
  const logout: Accounts['logout'] = async (by, bearer = 'none') => {
    if (!network.online) return false
    const [kind, token] = Object.entries(by)[0] ?? []
    story.push(`logout ${kind} ${token} by ${bearer}`)
    return network.settles
  }
  const accounts = { logout } as Accounts
  const limits: (() => void)[] = []
  const pauses: number[] = []
  const after: Clock['after'] = (ms, task) => {
    limits.push(task)
    pauses.push(ms)
    return () => void limits.splice(limits.indexOf(task), limits.includes(task) ? 1 : 0)
  }
  const effects = { now: CLOCK.now, newId: () => 'k1', after }
  const signOut = createSignOut({ sessions, workspace, accounts, storage, effects })
  const passTime = () => limits.splice(0).forEach((task) => void task())
  return {
    records,
    storage,
    story,
    network,
    device,
    sessions,
    workspace,
    signOut,
    passTime,
    pauses,
  }
}

/** The part of the sync core that signing out asks for: sending succeeds when there is a connection. */
function clientOver(
  database: LocalDatabase,
  story: string[],
  network: { online: boolean },
): SyncClient {
  return {
    database,
    start: async () => {
      await database.open()
      story.push('start')
    },
    stop: async () => {
      await settled()
      story.push('stop')
    },
    flush: async () => void story.push('flush'),
    drain: async () => {
      if (network.online) await database.table('drafts').toCollection().modify({ dirty: 0 })
      return (await unsentChanges(database)).length === 0
    },
  } as Partial<SyncClient> as SyncClient
}

async function writeDraft(database: LocalDatabase) {
  await database.articles.put({ id: 'a1', name: 'Ferns', clientId: null } as never)
  await transact(database, 'rw', ['drafts', 'texts'], (tables) =>
    putDraft(tables, { articleId: 'a1', doc: TEXT, baseDoc: {}, dirty: 1 } as never),
  )
}

const databases = async () => (await indexedDB.databases()).map(({ name }) => name)
/** Long enough for everything that was started to have ended. */
async function settled() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done))
}

test('with everything sent, session and local copy are deleted and the server is notified', {
  tags: ['@ST-06', '@ST-07', '@AP-02', '@Q83'],
}, async () => {
  const { records, story, sessions, workspace, signOut } = signedIn(sessionOf('u1'))
  await writeDraft((await workspace.open(sessionOf('u1').user)).database)
  expect(await signOut.prepare()).toEqual([])
  await signOut.finish('remove')
  await settled()
  expect(story).toEqual(['start', 'flush', 'logout refreshToken refresh by access', 'stop'])
  expect(sessions.store.getState()).toMatchObject({ session: null, leftOnPurpose: true })
  expect([...records.keys()]).toEqual([])
  expect(await databases()).not.toContain('contun-u1')
})

test('a text that the server lost stays on this device until the server has it again', {
  tags: ['@Q83'],
}, async () => {
  const { user } = sessionOf('u7')
  const first = signedIn(sessionOf('u7'))
  const { localRevs, docs } = (await first.workspace.open(user)).database
  const lost = { articleId: 'a1', at: 0, doc: TEXT, baseVersion: 3, words: 4, hash: 'h1', size: 90 }
  await localRevs.add({ ...lost, reason: 'other-history', isBase: false })
  await docs.put({ articleId: 'a1', textVersion: 2, json: '{}', hash: 'h0', words: 0 })
  expect(await first.signOut.prepare()).toEqual([])
  await first.signOut.finish('remove')
  await settled()
  expect(first.sessions.read()).toBeNull()
  expect(await databases()).toContain('contun-u7')

  const again = signedIn(sessionOf('u7'))
  const { database } = await again.workspace.open(user)
  expect(await database.localRevs.count()).toBe(1)
  await database.docs.put({
    articleId: 'a1',
    textVersion: 4,
    json: JSON.stringify(TEXT),
    hash: 'h1',
    words: 4,
  })
  await again.signOut.finish('remove')
  await settled()
  expect(await databases()).not.toContain('contun-u7')
})

test('unsent articles are listed, can be copied, and are kept on request', {
  tags: ['@Q83'],
}, async () => {
  const { network, device, workspace, signOut } = signedIn(sessionOf('u2'))
  await writeDraft((await workspace.open(sessionOf('u2').user)).database)
  network.online = false
  const unsent = await signOut.prepare()
  expect(unsent).toEqual([{ articleId: 'a1', name: 'Ferns', blocked: null }])
  const copy = await signOut.copyOf()
  expect(copy).toContain('<h1 dir="auto">Ferns</h1>')
  expect(copy).toContain('<p>Only here so far.</p>')
  await signOut.finish('keep')
  const again = openLocalDatabase('u2')
  expect(await readDraft(again, 'a1')).toMatchObject({ doc: TEXT, dirty: 1 })
  expect(await readProfiles(device)).toMatchObject([{ userId: 'u2', unsentCount: 1 }])
  again.close()
})

const PROOF = logoutTokenOf('refresh')

test('a logout without a connection is sent later, once, with a token that can only log out', {
  tags: ['@Q84'],
}, async () => {
  const { records, story, network, sessions, signOut } = signedIn(sessionOf('u3'))
  network.online = false
  await signOut.finish('keep')
  await signOut.retryUnfinished()
  expect(sessions.read()).toBeNull()
  const until = Date.UTC(2026, 6, 3, 10)
  expect([...records]).toEqual([['contun-logouts', JSON.stringify([{ token: PROOF, until }])]])
  network.online = true
  await signOut.retryUnfinished()
  await signOut.retryUnfinished()
  expect(story).toEqual([`logout logoutToken ${PROOF} by none`])
  expect([...records.keys()]).toEqual([])
})

test('a logout without a conclusive response is retried with backoff', {
  tags: ['@Q84', '@fault-77'],
}, async () => {
  const { records, story, network, signOut, passTime, pauses } = signedIn(sessionOf('u9'))
  network.settles = false
  await signOut.finish('keep')
  await settled()
  for (let time = 0; time < 8; time++) {
    passTime()
    await settled()
  }
  const [first, ...again] = story.filter((line) => line.startsWith('logout'))
  expect(first).toBe('logout refreshToken refresh by access')
  expect(again).toEqual(Array(8).fill(`logout logoutToken ${PROOF} by none`))
  expect(pauses.slice(-8)).toEqual([10, 20, 40, 80, 160, 300, 300, 300].map((s) => s * 1_000))
  expect([...records.keys()]).toEqual(['contun-logouts'])
  network.settles = true
  passTime()
  await settled()
  expect([...records.keys()]).toEqual([])
})

test('refresh tokens stored by an earlier release are replaced at the next start, also offline', {
  tags: ['@Q84'],
}, async () => {
  const { records, network, signOut } = signedIn(sessionOf('u10'))
  records.set('contun-unfinished-logouts', '["refresh", "other"]')
  network.online = false
  await signOut.retryUnfinished()
  expect(records.has('contun-unfinished-logouts')).toBe(false)
  const kept = JSON.parse(records.get('contun-logouts') ?? '').map(({ token }: Token) => token)
  expect(kept).toEqual([PROOF, logoutTokenOf('other')])
})

test('a pending logout is deleted when its session has expired anyway', {
  tags: ['@Q84'],
}, async () => {
  const { records, story, signOut } = signedIn(sessionOf('u11'))
  records.set('contun-logouts', JSON.stringify([{ token: PROOF, until: 0 }]))
  await signOut.retryUnfinished()
  expect(story).toEqual([])
  expect(records.has('contun-logouts')).toBe(false)
})

test('a browser without space for a pending logout still logs the user out and notifies the server', {
  tags: ['@Q84'],
}, async () => {
  const { story, sessions, storage, signOut } = signedIn(sessionOf('u6'))
  storage.setItem = () => {
    throw new DOMException('No room', 'QuotaExceededError')
  }
  await signOut.finish('keep')
  await settled()
  expect(sessions.read()).toBeNull()
  expect(story).toContain('logout refreshToken refresh by access')
})

test('a sign-in required by the server keeps the local copy and is not a requested logout', {
  tags: ['@ST-12'],
}, async () => {
  const { story, sessions, workspace, signOut } = signedIn(sessionOf('u4'))
  await writeDraft((await workspace.open(sessionOf('u4').user)).database)
  await signOut.signInAgain()
  await settled()
  expect(sessions.store.getState()).toMatchObject({ session: null, leftOnPurpose: false })
  expect(story).toEqual(['start', 'stop'])
  expect(await databases()).toContain('contun-u4')
})

test('reports at the next start that the browser cleared recorded unsent text', {
  tags: ['@Q98', '@fault-45'],
}, async () => {
  const { device, workspace } = signedIn(sessionOf('u5'))
  const { user } = sessionOf('u5')
  await recordProfile(device, user, 2, 0)
  await workspace.open(user)
  await expect.poll(() => workspace.store.getState().lostArticles).toBe(2)
  await workspace.close()
  expect(await readProfiles(device)).toContainEqual(
    expect.objectContaining({ userId: 'u5', unsentCount: 0 }),
  )
  await workspace.open(user)
  await expect.poll(() => workspace.store.getState().lostArticles).toBe(0)
  await workspace.close()
})

test('a local database that hangs at the last check is left unchanged, and delays no logout', {
  tags: ['@Q83'],
}, async () => {
  const { sessions, workspace, signOut, passTime } = signedIn(sessionOf('u8'))
  const { database } = await workspace.open(sessionOf('u8').user)
  expect(await signOut.prepare()).toEqual([])
  let isBlocked = true
  const hanging = database.transaction('rw', database.localRevs, async () => {
    while (isBlocked) await database.localRevs.count()
  })
  const leaving = signOut.finish('remove')
  await settled()
  expect(sessions.read()).not.toBeNull()
  passTime()
  await leaving
  expect(sessions.read()).toBeNull()
  isBlocked = false
  await hanging.catch(() => {})
  await settled()
  expect(await databases()).toContain('contun-u8')
})
