import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Editor } from '@tiptap/core'
import { Circle, CircleCheck, RotateCcw } from 'lucide-react'
import { type RefCallback, useEffect, useRef } from 'react'
import { canReopenArticle } from '../../../../domain/access/permissions.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useSignedIn, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import { useFocusFallback } from '../../../ui/focus-fallback.ts'
import { OnDemand } from '../../../ui/on-demand.tsx'
import type { NotesStore } from '../notes/notes-state.ts'
import type { Score } from '../scorecard/scorecard-store.ts'
import type { CountedEntities } from '../scorecard/use-scorecard.ts'
import classes from './completion.module.css'
import { useReopen } from './use-reopen.ts'

const completionDialog = once(
  async () => (await import('./completion-dialog.tsx')).CompletionDialog,
)

type CompletionProps = {
  view: ArticleView
  /** `useCompletionNotSent` of the view. */
  notSent: boolean
  editor: Editor
  readScore: () => Score
  /** Null until the code that counts is loaded. */
  counted: CountedEntities | null
  notes: NotesStore
  showNotes: () => void
  /** The dialog is gone from the screen. */
  onClosed: () => void
}

/** The button at the title: complete, wait for it, take it back while it waits, or open again (spec section 4). */
export function Completion({ view, notSent, onClosed, ...asked }: CompletionProps) {
  const sync = useSync()
  const { user } = useSignedIn()
  const [asking, dialog] = useDisclosure(false)
  const place = useRef<HTMLDivElement>(null)
  const pressed = useFocusFallback(place)
  useReopenedNotice(view)

  async function complete() {
    dialog.close()
    await notices.attempt('Article Error', () => sync.setCompleted(view.id, true))
  }

  return (
    <div className={classes.completion} ref={place} tabIndex={-1}>
      {!view.completed && (
        <Button leftSection={<CircleCheck {...ICON} />} onClick={dialog.open}>
          Mark Complete
        </Button>
      )}
      {view.completed &&
        (canReopenArticle(user) ? (
          <Reopen view={view} pressed={pressed} />
        ) : (
          <Complete view={view} notSent={notSent} pressed={pressed} />
        ))}
      <OnDemand
        fetch={completionDialog}
        wanted={asking}
        props={{
          opened: asking,
          onClose: dialog.close,
          onConfirm: () => void complete(),
          view,
          ...asked,
          onClosed,
        }}
      />
    </div>
  )
}

const ICON = { size: 16, strokeWidth: 1.7, 'aria-hidden': true } as const

/** `pressed` is for the button that goes away once it was pressed. */
type CompletedProps = { view: ArticleView; pressed: RefCallback<HTMLElement> }

/** For admins only (spec section 4). */
function Reopen({ view, pressed }: CompletedProps) {
  const reopen = useReopen(view)
  return (
    <Button
      ref={pressed}
      variant="default"
      leftSection={<RotateCcw {...ICON} />}
      onClick={() => void notices.attempt('Article Error', reopen)}
    >
      Mark Incomplete
    </Button>
  )
}

function Complete({ view, notSent, pressed }: CompletedProps & { notSent: boolean }) {
  const sync = useSync()
  const canUndo = view.completionUnsent || view.completionFailure !== null

  const undo = () =>
    notices.attempt('Article Error', async () => {
      if (await sync.withdrawCompletion(view.id)) return
      notices.info('Can’t undo', 'It may already have been sent.')
    })

  return (
    <>
      {notSent && canUndo && (
        <Button ref={pressed} variant="subtle" onClick={undo} aria-label="Undo completion">
          Undo
        </Button>
      )}
      <Button
        variant="default"
        disabled
        className={classes.complete}
        leftSection={notSent ? <Circle {...ICON} /> : <CircleCheck {...ICON} />}
      >
        Article Complete
      </Button>
    </>
  )
}

/** Shows a notice of a reopening once the server has accepted it (Q50). */
function useReopenedNotice({ name, completed, completionPending }: ArticleView): void {
  const reopening = useRef(false)
  useEffect(() => {
    if (completionPending) reopening.current = !completed
    else if (reopening.current) {
      reopening.current = false
      if (!completed) notices.success('Article reopened', `${name} can be edited again.`)
    }
  }, [name, completed, completionPending])
}
