import { useRef, useState } from 'react'
import { useApp } from '../app-context.tsx'
import { notices } from '../notices.ts'
import type { UnsentArticle } from '../sign-out.ts'

type Step =
  | { kind: 'idle' }
  | { kind: 'sending' }
  /** `again`: sending was asked for, and failed once more. */
  | { kind: 'asking'; unsent: UnsentArticle[]; again: boolean }

export type SigningOut = {
  step: Step
  begin: () => void
  stay: () => void
  downloadAndLeave: () => void
  keepAndLeave: () => void
}

/** One press of LOGOUT: send what waits, ask when that fails, leave. */
export function useSignOut(): SigningOut {
  const { signOut, saveFile } = useApp()
  const [step, setStep] = useState<Step>({ kind: 'idle' })
  const tries = useRef(0)

  /** When the local copy cannot even be read, the person still gets out and nothing is deleted. */
  async function prepare(): Promise<void> {
    const again = step.kind === 'asking'
    tries.current += 1
    const own = tries.current
    setStep({ kind: 'sending' })
    const unsent = await signOut.prepare().catch(() => null)
    if (own !== tries.current) return
    if (unsent === null) return signOut.finish('keep')
    if (unsent.length === 0) return signOut.finish('remove')
    setStep({ kind: 'asking', unsent, again })
  }

  async function download(): Promise<void> {
    if (step.kind !== 'asking') return
    try {
      saveFile('Unsent articles.html', await signOut.copyOf())
    } catch {
      notices.error('Error', 'The copy could not be made. Nothing was removed.')
      return
    }
    await signOut.finish('remove')
  }

  return {
    step,
    begin: () => void prepare(),
    stay() {
      tries.current += 1
      setStep({ kind: 'idle' })
    },
    downloadAndLeave: () => void download(),
    keepAndLeave: () => void signOut.finish('keep'),
  }
}
