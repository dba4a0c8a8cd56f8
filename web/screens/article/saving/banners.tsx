import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ArticleView, SaveWarning } from '../../../../sync/status/article-view.ts'
import type { Failure } from '../../../../sync/status/failure.ts'
import { useApp, useNow, useReload, useSync } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { useKeptText } from '../../../unsent/kept-text.ts'
import { LostWorkBanner } from '../../../unsent/lost-work-banner.tsx'
import { NextTry } from '../../../unsent/next-try.tsx'
import { MEMORY_REFUSED } from '../../../unsent/refused-because.ts'
import type { Copy } from '../use-article.ts'
import classes from './banners.module.css'
import { BlockedNotice } from './blocked-notice.tsx'
import { NotSaved } from './not-saved.tsx'

type BannersProps = {
  view: ArticleView
  copy: Copy | null
  /** The completion has waited for longer than a moment. */
  notSent: boolean
  read: Parameters<typeof useKeptText>[1]
}

/**
 * Shows above the title where the text and the completion are stored. Loaded once the page is shown, or at once when
 * needed.
 */
export function Banners({ view, copy, notSent, read }: BannersProps) {
  const { warning } = view
  const wordsFailure = notSent && view.completed ? failureOfKept(warning) : null
  return (
    <>
      <LostWorkBanner>What the agency has is shown below.</LostWorkBanner>
      {warning && !wordsFailure && <SavingBanner view={view} warning={warning} read={read} />}
      {notSent && !warning && <CompletionBanner view={view} />}
      {wordsFailure && <CompleteHereBanner failure={wordsFailure} />}
      {view.blocked && <BlockedNotice view={view} blocked={view.blocked} read={read} />}
      {copy && view.saveLine === 'saved' && <CopyLine copy={copy} readOnly={view.completed} />}
    </>
  )
}

/** Why text that is stored on this computer was not sent; null if it was, or if it is in memory only. */
const failureOfKept = (warning: SaveWarning | null): Failure | null =>
  warning && warning.kind !== 'memory' ? warning.failure : null

type SavingBannerProps = Pick<BannersProps, 'view' | 'read'> & { warning: SaveWarning }

/** Spec section 2, and a second line that says where the text really is (Q45). */
function SavingBanner({ view, warning, read }: SavingBannerProps) {
  const { copyText } = useKeptText(view.name, read)
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <NotSaved />
      <p className={classes.more}>
        {warning.kind === 'memory' ? (
          <>
            Could not be kept on this computer either. Copy your text before closing.{' '}
            {warning.refusal && `${MEMORY_REFUSED[warning.refusal.reason]} `}
            <TextButton onClick={copyText}>Copy text</TextButton>
          </>
        ) : (
          <Durable warning={warning} />
        )}
      </p>
    </Banner>
  )
}

const A_MINUTE_MS = 60_000

function Durable({ warning: { failure, lastSentAt } }: { warning: SaveWarning }) {
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const isOffline = failure?.cause === 'connection'
  return (
    <>
      {isOffline
        ? 'Your text is safe on this computer and will be sent when you’re back online.'
        : failure && <Cause failure={failure} />}
      {lastSentAt !== null && ` Last sent ${dates.timeOf(lastSentAt, now)}.`}{' '}
      {failure && <Action failure={failure} />}
    </>
  )
}

/** Why the server did not take something that is kept here, and when it is tried again. */
function Cause({ failure }: { failure: Failure }) {
  const { cause } = failure
  if (cause === 'connection') return 'You are offline. It will be sent when you are back online.'
  const blocked = { 'log-in': 'Log in again to send it.', update: 'A new version is needed.' }
  return (
    <>
      {cause === 'server' ? (
        <>
          The server had a problem. <NextTry at={failure.dueAt} />
        </>
      ) : (
        blocked[cause]
      )}{' '}
      Your text is safe on this computer.
    </>
  )
}

/** What the user can do about it. */
function Action({ failure: { cause } }: { failure: Failure }) {
  const sync = useSync()
  const { signOut } = useApp()
  const reload = useReload()
  if (cause === 'log-in')
    return <TextButton onClick={() => void signOut.signInAgain()}>Log in again</TextButton>
  if (cause === 'update') return <TextButton onClick={reload}>Reload</TextButton>
  return <TextButton onClick={() => sync.wake()}>Try now</TextButton>
}

/** A completion, or an admin's reopening, that the server did not take yet. */
function CompletionBanner({ view: { completed, completionFailure } }: { view: ArticleView }) {
  const isOffline = useOffline()
  const failure = completionFailure ?? (isOffline ? OFFLINE : null)
  if (!failure) return null
  return (
    <Banner kind="warning" icon={TriangleAlert} actions={<Action failure={failure} />}>
      <strong>
        {completed
          ? 'The agency doesn’t know yet that this article is complete.'
          : 'The server doesn’t know yet that this article was reopened.'}
      </strong>
      <p className={classes.more}>
        <Cause failure={failure} />
      </p>
    </Banner>
  )
}

/** Shown instead of the two banners when both the text and the completion are unsent. */
function CompleteHereBanner({ failure }: { failure: Failure }) {
  return (
    <Banner kind="warning" icon={TriangleAlert} actions={<Action failure={failure} />}>
      <strong>Complete on this computer. The agency doesn’t know it yet.</strong>
      <p className={classes.more}>
        {failure.cause === 'connection' ? (
          'Your last words and the completion are sent when the connection is back.'
        ) : (
          <>
            Your last words and the completion were not sent. <Cause failure={failure} />
          </>
        )}
      </p>
    </Banner>
  )
}

/** Nothing is tried while the browser knows of no network. */
const OFFLINE: Failure = { cause: 'connection' }

/** The article was opened without a response from the server. */
function CopyLine({ copy, readOnly }: { copy: Copy; readOnly: boolean }): ReactNode {
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const of = copy.seenAt === null ? '' : ` from ${dates.timeOf(copy.seenAt, now)}`
  return (
    <p className={classes.quiet} role="status">
      You’re viewing the copy{of} saved on this computer.{!readOnly && ' You can keep writing.'}
    </p>
  )
}
