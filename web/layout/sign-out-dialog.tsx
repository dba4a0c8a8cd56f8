import { Button, Modal, Stack } from '@mantine/core'
import { LoadingRing } from '../ui/loading-ring.tsx'
import classes from './sign-out-dialog.module.css'
import type { SigningOut } from './use-sign-out.ts'

export function SignOutDialog(signingOut: SigningOut) {
  const { step, begin, stay, downloadAndLeave, keepAndLeave } = signingOut
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
        )}
      </Modal>
    </>
  )
}
