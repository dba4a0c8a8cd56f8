import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { openLocalDatabase } from '../../sync/store/database.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { guardLeaving } from './leave-guard.ts'
import type { Workspace } from './workspace.ts'

test('leaving asks for confirmation only while text exists only in the page', {
  tags: ['@ED-24'],
}, () => {
  const database = openLocalDatabase('u1', { indexedDB: new IDBFactory(), IDBKeyRange })
  const store = createStore<{ client: SyncClient | null }>(() => ({ client: null }))
  const page = new EventTarget() as unknown as Window
  const guard = guardLeaving({ store } as Workspace, page)
  const isAsked = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const text = {}

  store.setState({ client: { database } as SyncClient })
  database.unsaved.set(text, 'a1', { kind: 'writing' })
  expect(isAsked()).toBe(false)
  database.unsaved.set(text, 'a1', { kind: 'memory', isFull: true, sent: false, refusal: null })
  expect(isAsked()).toBe(true)
  store.setState({ client: null })
  expect([isAsked(), guard.hasTextInMemory()]).toEqual([true, true])
  database.unsaved.set(text, 'a1', { kind: 'memory', isFull: true, sent: true, refusal: null })
  expect([isAsked(), guard.hasTextInMemory()]).toEqual([false, false])
  database.unsaved.set(text, 'a1', { kind: 'memory', isFull: true, sent: false, refusal: null })
  database.unsaved.set(text, 'a1', null)
  expect(isAsked()).toBe(false)
})
