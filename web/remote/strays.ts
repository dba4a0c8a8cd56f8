import type { List } from '../../domain/wire-fields.ts'
import type { Stray, StrayWithText } from '../../domain/wire-strays.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList } from './lists.ts'

/** `done` narrows the list to those that an admin dealt with, or to the others. */
type StraysRequest = { page: number; limit: number; done?: boolean }

/** The agency's calls about texts that writers sent it. All reject with Refused or NoAnswer. */
export type Strays = {
  /** Newest first, without their texts. */
  list(request: StraysRequest, abandoned?: Promise<void>): Promise<List<Stray>>
  read(strayId: string): Promise<StrayWithText>
  /** Dealt with, or not after all. The text is kept either way. */
  mark(strayId: string, done: boolean): Promise<void>
}

export function createStrays(send: Send): Strays {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (strayId: string) => `/strays/${encodeURIComponent(strayId)}`
  return {
    list({ page, limit, done }, abandoned) {
      const query = new URLSearchParams({ limit: String(limit), page: String(page) })
      if (done !== undefined) query.set('done', String(done))
      return getList(`/strays?${query}`, abandoned)
    },
    read: async (strayId) => strayIn(await call('GET', path(strayId))),
    mark: async (strayId, done) => void (await call('PATCH', path(strayId), { done })),
  }
}

/** A success that is no text comes from something between this computer and the server. */
function strayIn(json: unknown): StrayWithText {
  const stray = json as Partial<StrayWithText> | null | undefined
  if (typeof stray?.id !== 'string' || stray.articleText === undefined) throw new NoAnswer()
  return stray as StrayWithText
}
