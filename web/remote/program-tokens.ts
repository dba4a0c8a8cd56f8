import type {
  NewProgramToken,
  ProgramToken,
  ProgramTokenCreate,
} from '../../domain/wire/program-tokens.ts'
import type { Send } from '../../sync/ports.ts'
import { createCall, known } from './calls.ts'
import { createGetList } from './lists.ts'

/** The calls about tokens of programs. All reject with Refused or NoAnswer. */
export function createProgramTokens(send: Send) {
  const call = createCall(send)
  const getList = createGetList(send)
  const path = (id: string) => `/program-tokens/${encodeURIComponent(id)}`
  return {
    list: async () => (await getList<ProgramToken>('/program-tokens')).results,
    /** Resolves with the only response that has the token. */
    create: async (wanted: ProgramTokenCreate) =>
      known<NewProgramToken>(await call('POST', '/program-tokens', wanted), 'token'),
    takeOver: async (id: string) => void (await call('POST', `${path(id)}/owner`)),
    revoke: async (id: string) => void (await call('DELETE', path(id))),
  }
}
