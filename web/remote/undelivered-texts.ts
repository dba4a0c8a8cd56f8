import type { List } from '../../domain/wire/fields.ts'
import type { UndeliveredText, UndeliveredTextWithDocument } from '../../domain/wire/undelivered.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall, known } from './calls.ts'
import { createGetList, queryOf } from './lists.ts'

/** `done` narrows the list to those that an admin dealt with, or to the others. */
type UndeliveredTextsRequest = { page: number; limit: number; done?: boolean }

/** The agency's calls about texts that writers sent it. All reject with Refused or NoAnswer. */
export function createUndeliveredTexts(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (textId: string) => `/undelivered-texts/${encodeURIComponent(textId)}`
  return {
    /** Newest first, without their texts. */
    list: (
      { limit, page, done }: UndeliveredTextsRequest,
      abandoned?: Promise<void>,
    ): Promise<List<UndeliveredText>> =>
      getList(`/undelivered-texts?${queryOf({ limit, page, done })}`, abandoned),
    read: async (textId: string) =>
      known<UndeliveredTextWithDocument>(await call('GET', path(textId)), 'articleText', 'object'),
    /** Dealt with, or not after all. The text is kept either way. */
    mark: async (textId: string, done: boolean) =>
      void (await call('PATCH', path(textId), { done })),
  }
}
