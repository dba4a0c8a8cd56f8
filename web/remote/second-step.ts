import type {
  AppSecret,
  PasskeyCreation,
  RecoveryCodes,
  SecondStep,
  SecondStepAsked,
  SecondStepProof,
} from '../../domain/wire/second-step.ts'
import type { Session } from '../../domain/wire/users.ts'
import type { Send } from '../../sync/ports.ts'
import { sessionIn } from './accounts.ts'
import { createCall } from './calls.ts'

type Json = Record<string, unknown>

/** The second step of a login. Rejects with Refused or NoAnswer. */
export const enterSecondStep = async (send: Send, proof: SecondStepProof): Promise<Session> =>
  sessionIn(await createCall(send)('POST', '/auth/second-step', proof))

/** Two-step login of one account. All calls reject with Refused or NoAnswer. */
export type SecondStepCalls = ReturnType<typeof createSecondStepCalls>

export function createSecondStepCalls(send: Send, userId: string) {
  const call = createCall(send)
  const path = `/users/${encodeURIComponent(userId)}/second-step`
  return {
    read: async () => (await call('GET', path)) as SecondStep,
    /** For an account of another person. */
    removeAll: async () => void (await call('DELETE', path)),
    beginApp: async (password: string) =>
      (await call('POST', `${path}/app`, { password })) as AppSecret,
    confirmApp: async (code: string) =>
      ((await call('PUT', `${path}/app`, { code })) as RecoveryCodes).recoveryCodes,
    beginPasskey: async (password: string) =>
      (await call('POST', `${path}/passkeys/options`, { password })) as PasskeyCreation,
    addPasskey: async (ticket: string, name: string, response: Json) =>
      ((await call('POST', `${path}/passkeys`, { ticket, name, response })) as RecoveryCodes)
        .recoveryCodes,
    /** What proves the second step, before it is changed. */
    ask: async () => (await call('POST', `${path}/tickets`, {})) as SecondStepAsked,
    remove: async (what: string, proof: SecondStepProof) =>
      void (await call('POST', `${path}/removal`, { what, ...proof })),
    renewCodes: async (proof: SecondStepProof) =>
      ((await call('POST', `${path}/recovery-codes`, proof)) as RecoveryCodes).recoveryCodes,
  }
}
