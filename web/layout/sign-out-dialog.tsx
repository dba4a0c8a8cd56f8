import '@mantine/core/styles/Stack.css'
import { Button, Modal, Stack } from '@mantine/core'
import { type RefCallback, useState } from 'react'
import { UNSENT_FILE, type UnsentArticle } from '../app/sign-out.ts'
import { LoadingRing } from '../ui/page/loading-ring.tsx'
import classes from './sign-out-dialog.module.css'
import type { SigningOut } from './use-sign-out.ts'

/** One dialog for every step, as each that opens notes where the focus goes when it closes. */
export function SignOutDialog(signingOut: SigningOut) {
  const { step, stay } = signingOut
  const shown = useLastStep(step)
  const sending = shown.kind === 'idle' || shown.kind === 'sending'
  return (
    <Modal
      opened={step.kind !== 'idle'}
      onClose={stay}
      withCloseButton={!sending}
      closeOnClickOutside={!sending}
      size={sending ? 400 : 650}
      // Most changes are sent before the dialog shows.
      transitionProps={{ transition: 'fade', duration: 180, enterDelay: 300 }}
      title={titleOf(shown)}
    >
      {sending && <Sending stay={stay} />}
      {shown.kind === 'asking' && (
        <Question {...signingOut} unsent={shown.unsent} again={shown.again} />
      )}
      {shown.kind === 'downloaded' && <Downloaded {...signingOut} />}
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

/** The button that was pressed is gone by now, and the focus must not leave the dialog with it. */
const focus: RefCallback<HTMLElement> = (part) => part?.focus({ preventScroll: true })

function Sending({ stay }: { stay: () => void }) {
  return (
    <Stack gap={24}>
      <LoadingRing />
      <Button variant="default" onClick={stay} ref={focus} data-autofocus>
        Stay logged in
      </Button>
    </Stack>
  )
}

const isOnlyHere = ({ blocked }: UnsentArticle): boolean =>
  blocked === null || blocked.sentAt === null

function titleOf(step: SigningOut['step']): string {
  if (step.kind === 'downloaded') return 'Is your copy saved?'
  if (step.kind !== 'asking') return 'Sending your last changes…'
  return step.unsent.some(isOnlyHere)
    ? 'Some changes have not been sent yet'
    : 'Some texts are kept on this computer'
}

type QuestionProps = Omit<SigningOut, 'step'> & { unsent: UnsentArticle[]; again: boolean }

function Question(props: QuestionProps) {
  const { unsent, again, begin, stay, download, keepAndLeave } = props
  const onlyHere = unsent.filter(isOnlyHere)
  const sent = unsent.filter((article) => !isOnlyHere(article))
  const waits = unsent.some(({ blocked }) => blocked === null)
  const isRefused = unsent.some(({ blocked }) => blocked !== null)
  return (
    <>
      {again && waits && (
        <p className={classes.text} role="alert">
          Sending failed again.
        </p>
      )}
      <Articles
        articles={onlyHere}
        one="This article has changes that are only on this computer:"
        many="These articles have changes that are only on this computer:"
      />
      <Articles
        articles={sent}
        one="This text was delivered to the agency separately:"
        many="These texts were delivered to the agency separately:"
      />
      <p className={classes.text}>
        {isRefused
          ? 'They will still be here when you log in again, and will be sent if the article accepts them.'
          : 'They will be sent the next time you log in on this computer.'}{' '}
        You can also download a copy and remove them.
      </p>
      <Stack gap={10} mt={24}>
        {/* The dialog looks for its first field only when it opens, which may be before the question. */}
        <Button onClick={stay} ref={focus} data-autofocus>
          Stay logged in
        </Button>
        {waits && (
          <Button variant="default" onClick={begin}>
            Send now and log out
          </Button>
        )}
        <Button variant="default" onClick={keepAndLeave}>
          Log out, keep unsent work on this computer
        </Button>
        <Button variant="default" onClick={download}>
          Download a copy and log out
        </Button>
      </Stack>
    </>
  )
}

/**
 * A download can be cancelled or forbidden without an event, so nothing is removed before the user has checked the
 * file.
 */
function Downloaded({ stay, download, keepAndLeave, removeAndLeave }: SigningOut) {
  return (
    <>
      <p className={classes.text}>
        Check that ‘{UNSENT_FILE}’ is in your downloads. Then you can remove the texts from this
        computer.
      </p>
      <Stack gap={10} mt={24}>
        <Button onClick={stay} ref={focus} data-autofocus>
          Stay logged in
        </Button>
        <Button variant="default" onClick={download}>
          Download it again
        </Button>
        <Button variant="default" onClick={keepAndLeave}>
          Log out, keep unsent work on this computer
        </Button>
        <Button variant="default" onClick={removeAndLeave}>
          I have the file – remove the texts and log out
        </Button>
      </Stack>
    </>
  )
}

type ArticlesProps = { articles: UnsentArticle[]; one: string; many: string }

function Articles({ articles, one, many }: ArticlesProps) {
  if (articles.length === 0) return null
  return (
    <>
      <p className={classes.text}>{articles.length === 1 ? one : many}</p>
      <ul className={classes.articles}>
        {articles.map(({ articleId, name }) => (
          <li key={articleId}>{name || 'An article without a name'}</li>
        ))}
      </ul>
    </>
  )
}
