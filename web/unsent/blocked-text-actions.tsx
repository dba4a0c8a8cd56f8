import { useRef } from 'react'
import type { BlockedReason } from '../../sync/protocol/push-result.ts'
import type { BlockedText } from '../../sync/status/blocked-drafts.ts'
import { useNow, useSync } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { useDates } from '../app/use-dates.ts'
import { PressedText, TextButton } from '../ui/buttons/text-button.tsx'
import { useFocusFallback } from '../ui/focus-fallback.ts'
import { useKeptText } from './kept-text.ts'

export type ReadText = Parameters<typeof useKeptText>[1]

/** What the server refused as it is may be taken after a change; the rest waits for others. */
const MAY_BE_TRIED: readonly BlockedReason[] = ['too-large', 'rejected']

/** Reports a failed action on text at risk to the user who pressed its button. */
const attempt = (change: () => Promise<unknown>) => void notices.attempt('Article Error', change)

type BlockedTextActionsProps = {
  articleId: string
  name: string
  blocked: BlockedText
  read: ReadText
}

/** Ways to take blocked text elsewhere; the agency takes more than an article does. */
export function BlockedTextActions({ articleId, name, blocked, read }: BlockedTextActionsProps) {
  const sync = useSync()
  return (
    <>
      {MAY_BE_TRIED.includes(blocked.reason) && (
        <TextButton onClick={() => attempt(() => sync.retryBlocked(articleId))}>
          Try again
        </TextButton>
      )}
      <KeptTextActions name={name} read={read} />
      <ToAgency articleId={articleId} blocked={blocked} />
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

function ToAgency({ articleId, blocked }: { articleId: string; blocked: BlockedText }) {
  const sync = useSync()
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const said = useRef<HTMLElement>(null)
  const button = useFocusFallback(said)
  if (blocked.sentAt !== null) {
    return (
      <PressedText ref={said}>Sent to the agency {dates.timeOf(blocked.sentAt, now)}</PressedText>
    )
  }
  if (blocked.sending) {
    return <PressedText ref={said}>Waiting to be sent to the agency</PressedText>
  }
  return (
    <TextButton ref={button} onClick={() => attempt(() => sync.sendToAgency(articleId))}>
      Send to the agency
    </TextButton>
  )
}
