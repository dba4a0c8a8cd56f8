import { useCallback, useEffect, useMemo, useState } from 'react'
import type {
  AppSecret,
  SecondStep,
  SecondStepAsked,
  SecondStepProof,
} from '../../domain/wire/second-step.ts'
import type { User } from '../../domain/wire/users.ts'
import { useSend } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { Refused } from '../remote/http.ts'
import { createSecondStepCalls, type SecondStepCalls } from '../remote/second-step.ts'
import { createPasskey } from './passkey-prompt.ts'
import type { Entries } from './password-form.tsx'

type Addable = 'app' | 'passkey'

/** What the card shows. */
type Step =
  | { kind: 'list' }
  | { kind: 'password'; add: Addable }
  | { kind: 'app'; app: AppSecret }
  | ProofStep
  | { kind: 'codes'; codes: string[] }

type ProofStep = {
  kind: 'proof'
  asked: SecondStepAsked
  lead: string
  submit: string
  /** What is said afterwards. */
  done: string
  /** Returns new recovery codes to show, or null. */
  change: (proof: SecondStepProof) => Promise<string[] | null>
}

const LIST: Step = { kind: 'list' }
const FAILURE = 'Error changing two-step login'
/** Reasons that are shown below the field. */
const OF_FIELD: readonly unknown[] = ['wrong_code', 'wrong_password']

export type Flow = ReturnType<typeof useSecondStep>

/** The second step of the own account, and what is done with it. */
export function useSecondStep(user: User) {
  const send = useSend()
  const calls = useMemo(() => createSecondStepCalls(send, user.id), [send, user.id])
  const { state, read } = useRead(calls)
  const [step, setStep] = useState<Step>(LIST)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  function show(next: Step) {
    setFault(null)
    setStep(next)
  }

  /** Shows what `work` leads to; a refused code or password stays where it was typed. */
  async function run(work: () => Promise<Step>) {
    setBusy(true)
    setFault(null)
    try {
      show(await work())
    } catch (error) {
      if (error instanceof Refused && OF_FIELD.includes(error.reason)) setFault(error.message)
      else notices.fail(FAILURE, error)
      if (error instanceof Refused && error.reason === 'ticket_over') show(LIST)
    } finally {
      setBusy(false)
    }
  }

  async function changed(details: string, codes: string[] | null): Promise<Step> {
    notices.success('Two-step login changed', details)
    await read()
    return codes === null ? LIST : { kind: 'codes', codes }
  }

  const askForProof = (step: Omit<ProofStep, 'kind' | 'asked'>) =>
    run(async () => ({ kind: 'proof', asked: await calls.ask(), ...step }))

  return {
    state,
    step,
    busy,
    fault,
    read,
    stop: () => show(LIST),
    ask: (add: Addable) => show({ kind: 'password', add }),
    begin: (add: Addable, entries: Entries) =>
      run(async () => {
        if (add === 'app') return { kind: 'app', app: await calls.beginApp(entries.password) }
        const { ticket, options } = await calls.beginPasskey(entries.password)
        const response = await createPasskey(options)
        if (response === null) return LIST
        return changed(
          'The passkey was added.',
          await calls.addPasskey(ticket, entries.name, response),
        )
      }),
    confirmApp: (code: string) =>
      run(async () => changed('The authenticator app was added.', await calls.confirmApp(code))),
    prove: ({ change, done }: ProofStep, proof: SecondStepProof) =>
      run(async () => changed(done, await change(proof))),
    askToRemove: (what: string, name: string) =>
      askForProof({
        lead: `To remove ${name}, prove that it’s you.`,
        submit: 'Remove',
        done: `You removed ${name}.`,
        change: async (proof) => {
          await calls.remove(what, proof)
          return null
        },
      }),
    askForCodes: () =>
      askForProof({
        lead: 'For ten new codes, prove that it’s you. The ones you have stop working.',
        submit: 'Make new codes',
        done: 'The earlier recovery codes no longer work.',
        change: calls.renewCodes,
      }),
  }
}

/** Null while it is loaded. */
function useRead(calls: SecondStepCalls) {
  const [state, setState] = useState<SecondStep | 'failed' | null>(null)
  const read = useCallback(async () => {
    setState(await calls.read().catch(() => 'failed' as const))
  }, [calls])
  useEffect(() => void read(), [read])
  return { state, read }
}
