import { Button, Modal, Stack } from '@mantine/core'
import { type RefCallback, useState } from 'react'
import { LoadingRing } from '../ui/loading-ring.tsx'
import classes from './sign-out-dialog.module.css'
import type { SigningOut } from './use-sign-out.ts'

/** One dialog for every step, as each that opens notes where the focus goes when it closes. */
export function SignOutDialog(signingOut: SigningOut) {
  const { step, stay } = signingOut
  const shown = useLastStep(step)
  const asking = shown.kind === 'asking'
  return (
    <Modal
      opened={step.kind !== 'idle'}
      onClose={stay}
      withCloseButton={asking}
      closeOnEscape={asking}
      closeOnClickOutside={asking}
      size={asking ? 650 : 400}
      // Most changes are sent before the dialog shows.
      transitionProps={{ transition: 'fade', duration: 180, enterDelay: 300 }}
      title={asking ? 'Some changes have not been sent yet' : 'Sending your last changes…'}
    >
      {asking ? <Question {...signingOut} unsent={shown.unsent} /> : <Sending />}
    </Modal>
  )
}

/** What was shown last stays while the dialog fades out. */
function useLastStep(step: SigningOut['step']): SigningOut['step'] {
  const [shown, setShown] = useState(step)
  if (step.kind === 'idle' || step === shown) return shown
  setShown(step)
  return step
}

/** The pressed button is gone by now, and the focus must not leave the dialog with it. */
const focusDialog: RefCallback<HTMLElement> = (part) =>
  part?.closest<HTMLElement>('[role=dialog]')?.focus({ preventScroll: true })

function Sending() {
  return (
    <div ref={focusDialog}>
      <LoadingRing />
    </div>
  )
}

type Unsent = Extract<SigningOut['step'], { kind: 'asking' }>['unsent']

const focus: RefCallback<HTMLElement> = (part) => part?.focus({ preventScroll: true })

function Question(props: Omit<SigningOut, 'step'> & { unsent: Unsent }) {
  const { unsent, begin, stay, downloadAndLeave, keepAndLeave } = props
  return (
    <>
      <p className={classes.text}>These articles have changes that are only on this computer:</p>
      <ul className={classes.articles}>
        {unsent.map(({ articleId, name }) => (
          <li key={articleId}>{name || 'An article without a name'}</li>
        ))}
      </ul>
      <p className={classes.text}>
        Kept here, they will be sent when you sign in again. Once you download a copy, they are
        removed from this app on this computer.
      </p>
      <Stack gap={10} mt={24}>
        {/* The dialog looks for its first field only when it opens, which may be before the question. */}
        <Button onClick={stay} ref={focus} data-autofocus>
          Stay signed in
        </Button>
        <Button variant="default" onClick={begin}>
          Send now and log out
        </Button>
        <Button variant="default" onClick={keepAndLeave}>
          Log out, keep unsent work on this computer
        </Button>
        <Button variant="default" onClick={downloadAndLeave}>
          Download a copy and log out
        </Button>
      </Stack>
    </>
  )
}
