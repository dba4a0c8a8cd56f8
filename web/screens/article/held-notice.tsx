import { TriangleAlert } from 'lucide-react'
import type { HeldReason } from '../../../sync/database.ts'
import type { HeldText } from '../../../sync/strays.ts'
import type { ArticleView } from '../../../sync/views.ts'
import { useNow, useSync } from '../../app-context.tsx'
import { notices } from '../../notices.ts'
import { Banner } from '../../ui/banner.tsx'
import { figure } from '../../ui/figure.ts'
import classes from './banners.module.css'
import { NotSaved, TextButton } from './banners.tsx'
import { useKeptText } from './kept-text.ts'
import { timeOf } from './time-of.ts'

type ReadText = Parameters<typeof useKeptText>[1]
type HeldNoticeProps = { view: ArticleView; held: HeldText; read: ReadText }

/** The save-failed banner of text that the server refused for good (the sync core's `held`): where it is and what can be done. */
export function HeldNotice({ view: { id, name }, held, read }: HeldNoticeProps) {
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <NotSaved />
      <p className={classes.more}>
        {HELD_BECAUSE[held.reason]} Your {wordsKept(held.words)} kept on this computer.
        {WHAT_NEXT[held.reason]}
      </p>
      <p className={classes.more}>
        <HeldTextActions articleId={id} name={name} held={held} read={read} />
      </p>
    </Banner>
  )
}

export const HELD_BECAUSE: Record<HeldReason, string> = {
  completed: 'Marked complete while you were away.',
  revoked: 'You no longer have access to this article.',
  deleted: 'This article was deleted, or you no longer have access to it.',
  'too-large': 'This text is too large to be sent.',
  rejected: 'The server did not accept this text.',
}

const WHAT_NEXT: Partial<Record<HeldReason, string>> = {
  completed: ' They will be sent when the article is opened again.',
  'too-large': ' It is sent when it is shorter.',
}

const wordsKept = (words: number): string =>
  `${figure(words)} ${words === 1 ? 'word is' : 'words are'}`

/** What the server refused as it is may be taken after a change; the rest waits for others. */
const MAY_BE_TRIED: readonly HeldReason[] = ['too-large', 'rejected']

/** Whoever presses a button for words at risk hears of it when nothing came of that. */
const telling = (change: () => Promise<unknown>) => void notices.telling('Article Error', change)

type HeldTextActionsProps = { articleId: string; name: string; held: HeldText; read: ReadText }

/** Ways to take held text elsewhere; the agency takes more than an article does. */
export function HeldTextActions({ articleId, name, held, read }: HeldTextActionsProps) {
  const sync = useSync()
  return (
    <>
      {MAY_BE_TRIED.includes(held.reason) && (
        <TextButton onClick={() => telling(() => sync.sendHeldAgain(articleId))}>
          Try again
        </TextButton>
      )}
      <KeptTextActions name={name} read={read} />
      <ToAgency articleId={articleId} held={held} />
    </>
  )
}

export function KeptTextActions({ name, read }: { name: string; read: ReadText }) {
  const { copyText, downloadText } = useKeptText(name, read)
  return (
    <>
      <TextButton onClick={copyText}>Copy text</TextButton>
      <TextButton onClick={downloadText}>Download as text</TextButton>
    </>
  )
}

const A_MINUTE_MS = 60_000

function ToAgency({ articleId, held }: { articleId: string; held: HeldText }) {
  const sync = useSync()
  const now = useNow(A_MINUTE_MS)
  if (held.sentAt !== null) {
    return <span className={classes.said}>Sent to the agency {timeOf(held.sentAt, now)}</span>
  }
  if (held.sending) {
    return <span className={classes.said}>Waiting to be sent to the agency</span>
  }
  return (
    <TextButton onClick={() => telling(() => sync.sendToAgency(articleId))}>
      Send to the agency
    </TextButton>
  )
}
