import { useDebouncedValue } from '@mantine/hooks'
import { Check, CloudOff, HardDrive, Lock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { SaveLine as SaveState } from '../../../../sync/status/save-line.ts'
import { useIsPast, useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { agencyWords } from '../../../unsent/agency-words.ts'
import { Outbox } from '../../../unsent/outbox.tsx'
import classes from './save-line.module.css'

/** Shorter saves are not worth a word. */
const SAVING_SHOWS_AFTER_MS = 300

/** Upper limit of a save's expected duration, in case the clock was set back. */
const SAVING_MOST_MS = 15_000

type ShownState =
  | SaveState
  | 'slow'
  | 'refused'
  | 'sign-in'
  | 'update'
  | 'blocked'
  | 'complete'
  | 'complete-here'

const LINES: Record<ShownState, { text: string; icon: LucideIcon | null }> = {
  saved: { text: 'Saved', icon: Check },
  saving: { text: 'Saving…', icon: null },
  'on-this-computer': {
    text: 'Saved on this computer — waiting for the connection',
    icon: CloudOff,
  },
  'no-room': { text: 'Saved on this computer — waiting for room', icon: HardDrive },
  slow: { text: 'Saved on this computer — still being sent', icon: HardDrive },
  refused: { text: 'Saved on this computer — the server couldn’t take it yet', icon: HardDrive },
  'sign-in': { text: 'Saved on this computer — log in again to send', icon: HardDrive },
  update: { text: 'Saved on this computer — a new version is needed', icon: HardDrive },
  blocked: { text: 'Saved on this computer — the server rejected it', icon: HardDrive },
  'not-saved': { text: 'Not saved — this computer could not store it', icon: TriangleAlert },
  'sent-only': {
    text: 'Saved with the agency — this computer could not store it',
    icon: HardDrive,
  },
  complete: { text: 'Complete — this article is read-only', icon: Lock },
  'complete-here': { text: 'Complete on this computer — not yet with the agency', icon: HardDrive },
}

/** Instead of the above where it is known that the local write failed for lack of room. */
const NO_ROOM: Partial<Record<ShownState, string>> = {
  'not-saved': 'Not saved — this computer has no room left',
  'sent-only': 'Saved with the agency — this computer has no room left',
}

const A_MINUTE_MS = 60_000

/**
 * One truth about this computer at the foot of the sheet, and quietly what the agency has. Said aloud,
 * politely, when it changes; pressed, it lists all that waits.
 */
export function SaveLine({ view, notSent }: { view: ArticleView; notSent: boolean }) {
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const [settled] = useDebouncedValue(view.saveLine, SAVING_SHOWS_AFTER_MS)
  const isLate = useIsPast(view.savingUntil, SAVING_MOST_MS)
  const state = shownState(view, settled, { isLate, notSent })
  const { text, icon: Icon } = LINES[state]
  const words = (view.isFull && NO_ROOM[state]) || text
  // The first time of day that a page spells takes it as long as the rest of the line and the toolbar.
  const isDrawn = useDeferredValue(true, false)
  const isOfText = isDrawn && state !== 'complete-here'
  return (
    <div className={classes.line} role="status" data-state={state}>
      <Outbox
        position="top-start"
        description={isOfText ? agencyWords(view, { dates, now }) : undefined}
      >
        {Icon ? (
          <Icon size={16} strokeWidth={1.7} aria-hidden />
        ) : (
          <span className={classes.ring} />
        )}
        <span className={classes.text}>{words}</span>
      </Outbox>
    </div>
  )
}

/**
 * `settled` is the state that has lasted a while; `isLate` once saving has taken too long to be called saving,
 * `notSent` once a completion has been pending for more than a moment. A complete article is shown as complete, unless
 * its last text is not saved or waits for room on this device. Refused text is pending, but not for the connection; nor
 * is text that waits for the user.
 */
export function shownState(
  { saveLine, completed, blocked, warning }: ArticleView,
  settled: SaveState,
  { isLate = false, notSent = false } = {},
): ShownState {
  if (saveLine === 'not-saved' || saveLine === 'sent-only' || saveLine === 'no-room')
    return saveLine
  if (completed) return notSent ? 'complete-here' : 'complete'
  if (blocked !== null) return 'blocked'
  if (warning?.kind === 'sign-in' || warning?.kind === 'update') return warning.kind
  if (warning?.failure?.cause === 'server') return 'refused'
  if (saveLine !== 'saving') return saveLine
  return isLate ? 'slow' : settled
}
