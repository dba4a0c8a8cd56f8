import { UnstyledButton } from '@mantine/core'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { MemoryRefusal } from '../../../sync/unwritten.ts'
import type { SaveWarning } from '../../../sync/views.ts'
import { useApp, useNow } from '../../app-context.tsx'
import { Banner } from '../../ui/banner.tsx'
import classes from './banners.module.css'
import { timeOf } from './time-of.ts'
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

/**
 * The browser cleared what was kept here before this page was opened; no word of it is left to be sent. `children` say
 * what there is instead.
 */
export function LostWorkBanner({ children }: { children?: string }) {
  const lost = useStore(useApp().workspace.store, (state) => state.lostArticles)
  if (lost === 0) return null
  return (
    <Banner kind="error" icon={TriangleAlert}>
      <strong>Unsent changes are gone from this computer.</strong> This browser has removed what it
      kept here, with changes of {lost === 1 ? '1 article' : `${lost} articles`} that were not sent.{' '}
      {children}
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

/** Why the server does not take the text that this computer cannot keep. */
export const MEMORY_REFUSED: Record<MemoryRefusal['reason'], string> = {
  completed: 'The article was marked complete meanwhile.',
  revoked: 'You no longer have access to this article.',
  deleted: 'This article was deleted, or you no longer have access to it.',
  'too-large': 'This text is too large to be sent.',
  rejected: 'The server did not accept this text.',
  'sign-in': 'Sign in again in another tab to send it.',
  update: 'This page is too old to send it.',
}

export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <UnstyledButton className={classes.action} onClick={onClick}>
      {children}
    </UnstyledButton>
  )
}
