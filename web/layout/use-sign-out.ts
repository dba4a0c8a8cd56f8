import { useRef, useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { UNSENT_FILE, type UnsentArticle } from '../app/sign-out.ts'

type Step =
  | { kind: 'idle' }
  | { kind: 'sending' }
  /** `again`: the user asked to send, and sending failed again. */
  | { kind: 'asking'; unsent: UnsentArticle[]; again: boolean }
  /** A copy was handed to the browser, which does not report whether it became a file. */
  | { kind: 'downloaded' }

export type SigningOut = {
  step: Step
  begin: () => void
  stay: () => void
  download: () => void
  keepAndLeave: () => void
  /** Deletes the local copy, once the user confirms that the file exists. */
  removeAndLeave: () => void
}

/** A hanging local database does not prevent the sign-out: after this time its text is kept on this device. */
const PATIENCE_MS = 20_000

/** One press of LOGOUT: send what waits, ask when that fails, leave. */
export function useSignOut(): SigningOut {
  const { signOut, saveFile, clock, leaveHold } = useApp()
  const [step, setStep] = useState<Step>({ kind: 'idle' })
  /** Aborted when another attempt starts, and when the user stays. */
  const attempt = useRef(new AbortController())
  function restart(): AbortSignal {
    attempt.current.abort()
    attempt.current = new AbortController()
    return attempt.current.signal
  }

  /** When the local copy cannot be read, the user is still signed out and nothing is deleted. */
  async function prepare(): Promise<void> {
    const again = step.kind === 'asking'
    const signal = restart()
    setStep({ kind: 'sending' })
    const silence = new Promise<null>((end) => void clock.after(PATIENCE_MS, () => end(null)))
    const unsent = await Promise.race([signOut.prepare().catch(() => null), silence])
    if (signal.aborted) return
    if (unsent === null) return signOut.finish('keep')
    if (unsent.length === 0) return signOut.finish('remove')
    setStep({ kind: 'asking', unsent, again })
  }

  async function download(): Promise<void> {
    const { signal } = attempt.current
    try {
      saveFile(UNSENT_FILE, await signOut.copyOf())
      if (!signal.aborted) setStep({ kind: 'downloaded' })
    } catch {
      notices.error('Error', 'The copy could not be made. Nothing was removed.')
    }
  }

  return {
    step,
    begin: () => leaveHold.signOut(() => void prepare()),
    stay() {
      restart()
      setStep({ kind: 'idle' })
    },
    download: () => void download(),
    keepAndLeave: () => void signOut.finish('keep'),
    removeAndLeave: () => void signOut.finish('remove'),
  }
}
