import type { MailChoice, MailReader, MailSettings, MailState } from '../../domain/wire/mails.ts'
import { NoAnswer, type Send } from '../../sync/ports.ts'
import { createCall, known } from './calls.ts'

/** The calls about mails. All reject with Refused or NoAnswer. */
export function createMails(send: Send) {
  const call = createCall(send)
  const ownPath = (userId: string) => `/users/${encodeURIComponent(userId)}/mails`
  const keyPath = (key: string) => `/mails?key=${encodeURIComponent(key)}`
  return {
    settings: async (userId: string) =>
      known<MailSettings>(await call('GET', ownPath(userId)), 'choice'),
    save: async (userId: string, settings: Pick<MailSettings, 'choice' | 'follows'>) =>
      void (await call('PUT', ownPath(userId), settings)),
    /** The reader of the mail whose link has this key. */
    reader: async (key: string) => known<MailReader>(await call('GET', keyPath(key)), 'choice'),
    choose: async (key: string, choice: MailChoice) =>
      void (await call('PUT', keyPath(key), { choice })),
    /** For admins. */
    async state(): Promise<MailState> {
      const state = Object(await call('GET', '/mail-state')) as MailState
      if (!Array.isArray(state.unreachable)) throw new NoAnswer()
      return state
    },
  }
}
