import { Button, Modal, Stack } from '@mantine/core'
import { type RefCallback, useState } from 'react'
import type { UnsentArticle } from '../sign-out.ts'
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
      closeOnClickOutside={asking}
      size={asking ? 650 : 400}
      // Most changes are sent before the dialog shows.
      transitionProps={{ transition: 'fade', duration: 180, enterDelay: 300 }}
      title={asking ? titleFor(shown.unsent) : 'Sending your last changes…'}
    >
      {asking ? (
        <Question {...signingOut} unsent={shown.unsent} again={shown.again} />
      ) : (
        <Sending stay={stay} />
      )}
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
        Stay signed in
      </Button>
    </Stack>
  )
}

const isOnlyHere = ({ held }: UnsentArticle): boolean => held === null || held.sentAt === null

const titleFor = (unsent: UnsentArticle[]): string =>
  unsent.some(isOnlyHere)
    ? 'Some changes have not been sent yet'
    : 'Some texts are kept on this computer'

type QuestionProps = Omit<SigningOut, 'step'> & { unsent: UnsentArticle[]; again: boolean }

function Question(props: QuestionProps) {
  const { unsent, again, begin, stay, downloadAndLeave, keepAndLeave } = props
  const onlyHere = unsent.filter(isOnlyHere)
  const sent = unsent.filter((article) => !isOnlyHere(article))
  const waits = unsent.some(({ held }) => held === null)
  const isRefused = unsent.some(({ held }) => held !== null)
  return (
    <>
      {again && waits && (
        <p className={classes.text} role="alert">
          Sending did not work this time either.
        </p>
      )}
      <Articles
        articles={onlyHere}
        one="This article has changes that are only on this computer:"
        many="These articles have changes that are only on this computer:"
      />
      <Articles
        articles={sent}
        one="The agency has the text that this article did not take:"
        many="The agency has the texts that these articles did not take:"
      />
      <p className={classes.text}>
        {isRefused
          ? 'Kept here, they will be there when you sign in again, and go to their article if it takes them then.'
          : 'Kept here, they will be sent when you sign in again.'}{' '}
        Once you download a copy, they are removed from this app on this computer.
      </p>
      <Stack gap={10} mt={24}>
        {/* The dialog looks for its first field only when it opens, which may be before the question. */}
        <Button onClick={stay} ref={focus} data-autofocus>
          Stay signed in
        </Button>
        {waits && (
          <Button variant="default" onClick={begin}>
            Send now and log out
          </Button>
        )}
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
