import { Button } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { CalendarClock } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isAdmin } from '../../../../domain/access/permissions.ts'
import type { Dates } from '../../../../domain/calendar/dates.ts'
import { dueWords, isLate } from '../../../../domain/calendar/due-date.ts'
import { type ArticlePlan, readArticlePlan } from '../../../../sync/status/article-plan.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { notePlanRead } from '../../../../sync/store/fetched-plan.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { useToday } from '../../../app/use-today.ts'
import { useOffline } from '../../../layout/use-offline.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { useTypedNote } from '../agency-notices/typed-note.ts'
import { useLeaveByEscape } from '../layout/use-leave-by-escape.ts'
import side from '../panel/side-panel.module.css'
import { PanelFoot, SidePanel } from '../panel/side-panel.tsx'
import type { PanelState } from '../panel/use-panel.ts'
import { nameOf } from '../receipt/hand-in-words.ts'
import { type Refreshed, useRefreshed } from '../use-refreshed.ts'
import { BriefForm } from './brief-form.tsx'
import classes from './brief-panel.module.css'
import { TemplateForm } from './template-form.tsx'
import { readTypedBrief, typedOf, typedText } from './typed-brief.ts'

type BriefPanelProps = Pick<PanelState, 'setPanel'> & { view: ArticleView }

/** What is asked of the article and when it is due. Admins write it here. */
export function BriefPanel({ view, setPanel }: BriefPanelProps) {
  const database = useDatabase()
  const { user } = useSignedIn()
  const isOffline = useOffline()
  const known = useLocalQuery(() => readArticlePlan(database, view.id), [database, view.id])
  const refreshed = useRefreshed(view.id, known?.isStale === true, isOffline)
  const note = useTypedNote(view.id, 'brief')
  const typed = isAdmin(user) && note.typed !== null ? readTypedBrief(note.typed) : null
  const [saved, setSaved] = useState(false)
  const dates = useDates()
  const panel = useRef<HTMLElement>(null)
  const close = () => setPanel(null)
  useLeaveByEscape(close)
  useFirstFocus(panel, typed !== null)
  const plan = known?.plan ?? null

  function end(isSaved: boolean) {
    note.end()
    setSaved(isSaved)
  }
  function begin() {
    setSaved(false)
    note.keep(typedText(typedOf(plan)))
  }

  return (
    <SidePanel ref={panel} title="Brief" intro={introOf(plan, dates)} onBack={close}>
      <div role="status" className="visually-hidden">
        {saved && 'The brief is saved.'}
      </div>
      {typed ? (
        <BriefForm {...{ view, typed, isOffline }} onDone={end} />
      ) : (
        known && (
          <Reading {...{ view, known, refreshed, isOffline }}>
            {isAdmin(user) && (plan || !known.isStale) && (
              <AdminFoot view={view} hasPlan={plan !== null} onEdit={begin} />
            )}
          </Reading>
        )
      )}
    </SidePanel>
  )
}

type AdminFootProps = { view: ArticleView; hasPlan: boolean; onEdit: () => void }

/** Writing the brief, and keeping it for other articles. */
function AdminFoot({ view, hasPlan, onEdit }: AdminFootProps) {
  const [isNaming, setNaming] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasNaming = useRef(false)
  useEffect(() => {
    if (wasNaming.current && !isNaming) button.current?.focus()
    wasNaming.current = isNaming
  }, [isNaming])

  function end(name: string | null) {
    setSaved(name)
    setNaming(false)
  }

  if (isNaming) return <TemplateForm view={view} onDone={end} />
  return (
    <>
      <p className={classes.saved} role="status" hidden={saved === null}>
        {saved !== null && `Saved as the template ‘${saved}’.`}
      </p>
      <PanelFoot>
        <Button variant="default" data-edit onClick={onEdit}>
          {hasPlan ? 'Edit brief' : 'Write a brief'}
        </Button>
        <Button ref={button} variant="subtle" onClick={() => setNaming(true)}>
          Save as template
        </Button>
      </PanelFoot>
    </>
  )
}

const introOf = (plan: ArticlePlan['plan'], dates: Dates): string | null =>
  plan?.changedAt ? `From ${nameOf(plan.changedBy)}, ${dates.date(plan.changedAt)}.` : null

/** The way back at first, and the button that was pressed before once the form is gone. A form takes the focus itself. */
function useFirstFocus(panel: { current: HTMLElement | null }, isWriting: boolean): void {
  const before = useRef<boolean | null>(null)
  useEffect(() => {
    const wasWriting = before.current
    before.current = isWriting
    if (isWriting) return
    const edit = wasWriting ? panel.current?.querySelector<HTMLElement>('[data-edit]') : null
    ;(edit ?? panel.current?.querySelector('button'))?.focus()
  }, [panel, isWriting])
}

type ReadingProps = {
  view: ArticleView
  known: ArticlePlan
  refreshed: Refreshed
  isOffline: boolean
  children: ReactNode
}

function Reading({ view, known, refreshed, isOffline, children }: ReadingProps) {
  const { plan, dueOn, isPlanned, isStale } = known
  const hasChanged = useReading(view.id, plan)
  return (
    <>
      <div role="status" className="visually-hidden">
        {hasChanged && 'The brief has changed.'}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: not every browser lets the keyboard scroll a long brief otherwise */}
      <section className={classes.scroller} aria-label="Text of the brief" tabIndex={0}>
        <Missing {...{ known, isOffline }} {...refreshed} />
        {dueOn !== null && <DueRow day={dueOn} isComplete={view.completed} />}
        {plan && plan.brief !== '' && (
          <p className={classes.brief} dir="auto">
            {plan.brief}
          </p>
        )}
        {!isPlanned && !isStale && <p className={side.none}>No brief yet.</p>}
      </section>
      {children}
    </>
  )
}

/** Notes what is on the screen as read. Returns true once it is another one than when the panel was opened. */
function useReading(articleId: string, plan: ArticlePlan['plan']): boolean {
  const database = useDatabase()
  const isSeen = useDocumentVisibility() === 'visible'
  const counter = plan?.counter ?? 0
  const [first] = useState(counter)
  const isUnread = plan !== null && plan.read !== 'current'
  useEffect(() => {
    if (isSeen && isUnread) void notePlanRead(database, articleId).catch(() => {})
  }, [database, articleId, isSeen, isUnread])
  return counter !== first
}

type MissingProps = Refreshed & { known: ArticlePlan; isOffline: boolean }

/** What is not here, and why. */
function Missing({ known: { plan, isStale }, isBehind, isOffline, tryAgain }: MissingProps) {
  if (!isStale) return null
  if (isBehind && isOffline) {
    const what = plan ? 'A newer brief' : 'The brief'
    return <p className={classes.missing}>{what} will appear when you are back online.</p>
  }
  if (isBehind) {
    return (
      <p className={classes.missing} role="alert">
        Couldn’t load the brief. <TextButton onClick={tryAgain}>Try again</TextButton>
      </p>
    )
  }
  return plan ? null : <p className={classes.missing}>Loading…</p>
}

type DueRowProps = { day: string; isComplete: boolean }

function DueRow({ day, isComplete }: DueRowProps) {
  const today = useToday()
  const dates = useDates()
  const late = isLate(day, isComplete, today)
  return (
    <p className={classes.due}>
      <CalendarClock size={18} strokeWidth={1.7} aria-hidden />
      <span>
        <b>Due {dates.dayName(day, null)}</b>
        {!isComplete && <span data-late={late}>{dueWords(day, today)}</span>}
      </span>
    </p>
  )
}
