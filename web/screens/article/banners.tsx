import { UnstyledButton } from '@mantine/core'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { MemoryRefusal } from '../../../sync/unwritten.ts'
import type { SaveWarning } from '../../../sync/views.ts'
import { useNow } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
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

type SavingBannerProps = { warning: SaveWarning; tryNow: () => void; copyText: () => void }

/** Spec section 2, and a second line that says where the text really is (Q45). */
export function SavingBanner({ warning, tryNow, copyText }: SavingBannerProps) {
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <strong>Error saving changes.</strong> Warning: Your changes have not been saved. Try
      refreshing the page or checking your internet connection.
      <p className={classes.more}>
        {warning.kind === 'durable' && <Durable lastSentAt={warning.lastSentAt} tryNow={tryNow} />}
        {warning.kind === 'memory' && (
          <>
            Could not be kept on this computer either. Copy your text before closing.{' '}
            {warning.refusal && `${REFUSED[warning.refusal.reason]} `}
            <TextButton onClick={copyText}>Copy text</TextButton>
          </>
        )}
        {warning.kind === 'sign-in' && (
          <>
            Kept on this computer. <Link to={paths.login}>Sign in again</Link> to send.
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

type HeldBannerProps = {
  held: { reason: string; words: number }
  copyText: () => void
  downloadText: () => void
}

/** The server refused this text for good; it stays here and can be taken elsewhere. */
export function HeldBanner({ held, copyText, downloadText }: HeldBannerProps) {
  const words = held.words === 1 ? 'word is' : 'words are'
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <strong>{HELD[held.reason] ?? 'The server did not accept this text.'}</strong> Your{' '}
      {held.words.toLocaleString()} {words} kept on this computer.
      <p className={classes.more}>
        <TextButton onClick={copyText}>Copy text</TextButton>
        <TextButton onClick={downloadText}>Download as text</TextButton>
      </p>
    </Banner>
  )
}

/** Why the server does not take the text that this computer cannot keep. */
const REFUSED: Record<MemoryRefusal['reason'], string> = {
  completed: 'The article was marked complete meanwhile.',
  revoked: 'You no longer have access to this article.',
  deleted: 'This article was deleted.',
  'too-large': 'This text is too large to be sent.',
  rejected: 'The server did not accept this text.',
  'sign-in': 'Sign in again in another tab to send it.',
  update: 'This page is too old to send it.',
}

const HELD: Record<string, string | undefined> = {
  completed: 'Marked complete while you were away.',
  revoked: 'You no longer have access to this article.',
  deleted: 'This article was deleted.',
  'too-large': 'This text is too large to be sent.',
}

function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <UnstyledButton className={classes.action} onClick={onClick}>
      {children}
    </UnstyledButton>
  )
}
