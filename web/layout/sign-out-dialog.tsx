import { Button, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { UnsentChange } from '../../sync/device.ts'
import { useApp } from '../app-context.tsx'
import { notices } from '../notices.ts'
import { LoadingRing } from '../ui/loading-ring.tsx'
import classes from './sign-out-dialog.module.css'

type Step = { kind: 'idle' } | { kind: 'sending' } | { kind: 'asking'; unsent: UnsentChange[] }

type SigningOut = {
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

  /** When the local copy cannot even be read, the person still gets out and nothing is deleted. */
  async function prepare(): Promise<void> {
    setStep({ kind: 'sending' })
    const unsent = await signOut.prepare().catch(() => null)
    if (unsent === null) return signOut.finish('keep')
    if (unsent.length === 0) return signOut.finish('remove')
    setStep({ kind: 'asking', unsent })
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
    stay: () => setStep({ kind: 'idle' }),
    downloadAndLeave: () => void download(),
    keepAndLeave: () => void signOut.finish('keep'),
  }
}

export function SignOutDialog({ step, stay, downloadAndLeave, keepAndLeave }: SigningOut) {
  return (
    <>
      <Modal
        opened={step.kind === 'sending'}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        size={400}
        transitionProps={{ transition: 'fade', duration: 180, enterDelay: 300 }}
        title="Sending your last changes…"
        classNames={{ title: classes.title ?? '' }}
      >
        <LoadingRing />
      </Modal>
      <Modal
        opened={step.kind === 'asking'}
        onClose={stay}
        size={650}
        title="Some changes have not been sent yet"
        classNames={{ title: classes.title ?? '' }}
      >
        {step.kind === 'asking' && (
          <>
            <p className={classes.text}>
              These articles have changes that are only on this computer:
            </p>
            <ul className={classes.articles}>
              {step.unsent.map(({ articleId, name }) => (
                <li key={articleId}>{name || 'An article without a name'}</li>
              ))}
            </ul>
            <p className={classes.text}>
              Kept here, they will be sent when you sign in again. Once you download a copy, they
              are removed from this app on this computer.
            </p>
            <Stack gap={10} mt={24}>
              <Button onClick={stay} data-autofocus>
                Stay signed in
              </Button>
              <Button variant="default" onClick={keepAndLeave}>
                Log out, keep unsent work on this computer
              </Button>
              <Button variant="default" onClick={downloadAndLeave}>
                Download a copy and log out
              </Button>
            </Stack>
          </>
        )}
      </Modal>
    </>
  )
}
