import { describe, expect, it } from 'vitest'
import {
  canAdminister,
  canCompleteArticle,
  canEditText,
  canReadArticle,
  canReopenArticle,
  type Viewer,
} from './permissions.ts'

const admin: Viewer = { id: 'a1', role: 'admin' }
const member: Viewer = { id: 'u1', role: 'user' }
const stranger: Viewer = { id: 'u2', role: 'user' }
const VIEWERS = { admin, member, stranger }

const client = { id: 'c1', name: 'Fern & Fable', users: ['u1'] }
const ARTICLES = {
  open: { clientId: client, completed: false },
  complete: { clientId: client, completed: true },
  'of a deleted client': { clientId: { ...client, deleted: true as const }, completed: false },
  'of a client without users': { clientId: { ...client, users: [] }, completed: false },
  'without a client': { clientId: null, completed: false },
  'complete, without a client': { clientId: null, completed: true },
}

describe('articles', () => {
  it.each<[keyof typeof VIEWERS, keyof typeof ARTICLES, string]>([
    ['admin', 'open', 'read write complete reopen'],
    ['admin', 'complete', 'read complete reopen'],
    ['admin', 'of a deleted client', 'read write complete reopen'],
    ['admin', 'of a client without users', 'read write complete reopen'],
    ['admin', 'without a client', 'read write complete reopen'],
    ['admin', 'complete, without a client', 'read complete reopen'],
    ['member', 'open', 'read write complete'],
    ['member', 'complete', 'read complete'],
    ['member', 'of a deleted client', 'read write complete'],
    ['member', 'of a client without users', ''],
    ['member', 'without a client', ''],
    ['member', 'complete, without a client', ''],
    ['stranger', 'open', ''],
    ['stranger', 'complete', ''],
    ['stranger', 'of a deleted client', ''],
    ['stranger', 'without a client', ''],
  ])('PE-04, PE-06 to PE-11, CH-01, ED-20 %s and an article %s: %s', (who, which, expected) => {
    const [viewer, article] = [VIEWERS[who], ARTICLES[which]]
    const allowed = [
      canReadArticle(viewer, article) && 'read',
      canEditText(viewer, article) && 'write',
      canCompleteArticle(viewer, article) && 'complete',
      canReopenArticle(viewer) && 'reopen',
    ]
    expect(allowed.filter(Boolean).join(' ')).toBe(expected)
  })
})

describe('the agency', () => {
  it('PE-02, PE-03, RT-31 only admins administer', () => {
    expect(Object.values(VIEWERS).map(canAdminister)).toEqual([true, false, false])
  })
})
