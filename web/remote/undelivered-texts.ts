import type { List } from '../../domain/wire/fields.ts'
import type { UndeliveredText, UndeliveredTextWithDocument } from '../../domain/wire/undelivered.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall } from './calls.ts'
import { createGetList } from './lists.ts'

/** `done` narrows the list to those that an admin dealt with, or to the others. */
type UndeliveredTextsRequest = { page: number; limit: number; done?: boolean }

/** The agency's calls about texts that writers sent it. All reject with Refused or NoAnswer. */
export type UndeliveredTexts = {
  /** Newest first, without their texts. */
  list(request: UndeliveredTextsRequest, abandoned?: Promise<void>): Promise<List<UndeliveredText>>
  read(textId: string): Promise<UndeliveredTextWithDocument>
  /** Dealt with, or not after all. The text is kept either way. */
  mark(textId: string, done: boolean): Promise<void>
}

export function createUndeliveredTexts(send: Send): UndeliveredTexts {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (textId: string) => `/undelivered-texts/${encodeURIComponent(textId)}`
  return {
    list({ page, limit, done }, abandoned) {
      const query = new URLSearchParams({ limit: String(limit), page: String(page) })
      if (done !== undefined) query.set('done', String(done))
      return getList(`/undelivered-texts?${query}`, abandoned)
    },
    read: async (textId) => textIn(await call('GET', path(textId))),
    mark: async (textId, done) => void (await call('PATCH', path(textId), { done })),
  }
}

/** A success that is no text comes from something between this computer and the server. */
function textIn(json: unknown): UndeliveredTextWithDocument {
  const undelivered = json as Partial<UndeliveredTextWithDocument> | null | undefined
  if (typeof undelivered?.id !== 'string' || undelivered.articleText === undefined)
    throw new NoAnswer()
  return undelivered as UndeliveredTextWithDocument
}
