import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { SaveWarning } from '../../../sync/views.ts'
import { useNow } from '../../app-context.tsx'
import { Banner } from '../../ui/banner.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { timeOf } from '../../ui/time-of.ts'
import { MEMORY_REFUSED } from '../../unsent/refused-because.ts'
import classes from './banners.module.css'
import type { Copy } from './use-article.ts'

/** Spec section 2; only shown when this computer has no copy of the article (Q48). */
export function RetrievingBanner({ tryAgain }: { tryAgain: () => void }) {
  return (
    <Banner kind="error" icon={CircleAlert}>
      <strong>Error retrieving article.</strong> Try refreshing the page or checking your internet
      connection.
      <p className={classes.more}>
        <TextButton onClick={tryAgain}>Try again</TextButton>
      </p>
    </Banner>
  )
}

/** What every save that failed says, whatever became of the text (spec section 2). */
export const NotSaved = () => (
  <>
    <strong>Error saving changes.</strong> Warning: Your changes have not been saved. Try refreshing
    the page or checking your internet connection.
  </>
)

type SavingBannerProps = {
  warning: SaveWarning
  tryNow: () => void
  copyText: () => void
  reload: () => void
  signInAgain: () => void
}

/** Spec section 2, and a second line that says where the text really is (Q45). */
export function SavingBanner(props: SavingBannerProps) {
  const { warning, tryNow, copyText, reload, signInAgain } = props
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <NotSaved />
      <p className={classes.more}>
        {warning.kind === 'durable' && <Durable lastSentAt={warning.lastSentAt} tryNow={tryNow} />}
        {warning.kind === 'memory' && (
          <>
            Could not be kept on this computer either. Copy your text before closing.{' '}
            {warning.refusal && `${MEMORY_REFUSED[warning.refusal.reason]} `}
            <TextButton onClick={copyText}>Copy text</TextButton>
          </>
        )}
        {warning.kind === 'update' && (
          <>
            Kept on this computer. A new version is needed.{' '}
            <TextButton onClick={reload}>Reload</TextButton> to send.
          </>
        )}
        {warning.kind === 'sign-in' && (
          <>
            Kept on this computer. <TextButton onClick={signInAgain}>Sign in again</TextButton> to
            send.
          </>
        )}
      </p>
    </Banner>
  )
}

const A_MINUTE_MS = 60_000

function Durable({ lastSentAt, tryNow }: { lastSentAt: number | null; tryNow: () => void }) {
  const now = useNow(A_MINUTE_MS)
  return (
    <>
      Kept on this computer, will be sent when the connection is back.
      {lastSentAt !== null && ` Last sent ${timeOf(lastSentAt, now)}.`}{' '}
      <TextButton onClick={tryNow}>Try now</TextButton>
    </>
  )
}

/** The article opened without an answer from the server, and that is no reason to stop. */
export function CopyLine({ copy }: { copy: Copy }) {
  const now = useNow(A_MINUTE_MS)
  const of = copy.seenAt === null ? '' : ` of ${timeOf(copy.seenAt, now)}`
  return (
    <p className={classes.quiet} role="status">
      This is the copy{of} kept on this computer; you can go on writing.
    </p>
  )
}
