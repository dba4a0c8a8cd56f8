import { Button } from '@mantine/core'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { dayIn } from '../../../../domain/calendar/due-date.ts'
import { useClock, useNames } from '../../../app/app-context.tsx'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { RUN_NOT_ANSWERED } from '../run-words.ts'
import batch from './batch-screen.module.css'
import { type Counts, countsOf, entriesOf, type Group } from './check-entries.ts'
import classes from './check-step.module.css'
import { CheckTable } from './check-table.tsx'
import { barText, checkedText, GROUP_NAMES, runLabel, staleText } from './check-words.ts'
import { NEEDS_CONNECTION } from './reading-words.ts'
import { UnknownClients } from './unknown-clients.tsx'
import type { Checked, CheckNotice, ListCheck } from './use-list-check.ts'

type CheckStepProps = {
  check: ListCheck
  checked: Checked
  onBack: () => void
  onRun: () => void
}

/** What would happen to each article of the list, and what is to be decided before it happens. */
export function CheckStep({ check, checked, onBack, onRun }: CheckStepProps) {
  const { timeZone } = useNames()
  const today = dayIn(timeZone, useClock().now())
  const { articles, answer, clients } = checked
  const entries = useMemo(() => entriesOf(articles, answer.articles), [articles, answer])
  const counts = countsOf(entries)
  const [shown, setShown] = useState<Group | null>(null)
  const headingId = useId()
  return (
    <>
      <Notice check={check} onRun={onRun} />
      <section className={batch.card} aria-labelledby={headingId}>
        <h2 id={headingId} className="visually-hidden">
          What happens
        </h2>
        <p className="visually-hidden" role="status">
          {check.busy === 'checking' ? '' : checkedText(counts)}
        </p>
        <div className={classes.top}>
          <Groups counts={counts} shown={shown} onShow={setShown} />
          <UnknownClients clients={clients} onDecide={check.decide} />
        </div>
        <CheckTable
          labelledBy={headingId}
          entries={entries}
          counts={counts}
          shown={shown}
          today={today}
          refreshing={check.busy === 'checking'}
        />
        <Bar check={check} checked={checked} counts={counts} onBack={onBack} onRun={onRun} />
      </section>
    </>
  )
}

type GroupsProps = {
  counts: Counts
  /** Null: all of them. */
  shown: Group | null
  onShow: (group: Group | null) => void
}

/** In the order of the toggles; the table begins with what cannot be done. */
const TOGGLES: readonly (Group | null)[] = [null, 'new', 'changed', 'same', 'cannot']

function Groups({ counts, shown, onShow }: GroupsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset names fields, these are toggles
    <div className={classes.groups} role="group" aria-label="Show only">
      {TOGGLES.map((group) => (
        <button
          key={group ?? 'all'}
          type="button"
          className={classes.toggle}
          aria-pressed={shown === group}
          onClick={() => onShow(group)}
        >
          {group === 'cannot' && (
            <CircleAlert size={15} strokeWidth={1.7} className={classes.cannot} aria-hidden />
          )}
          {group === null ? 'All' : GROUP_NAMES[group]}
          <span className={classes.count}>{figure(counts[group ?? 'all'])}</span>
        </button>
      ))}
    </div>
  )
}

type BarProps = CheckStepProps & { counts: Counts }

function Bar({ check, checked, counts, onBack, onRun }: BarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const open = checked.clients.find(({ use }) => use === undefined)
  const label = runLabel(counts)

  function handleRun() {
    if (check.busy === 'checking') return
    if (!open) return onRun()
    const all = [...document.querySelectorAll<HTMLElement>('[data-unknown-client]')]
    const place = all.find(({ dataset }) => dataset.unknownClient === open.name)
    place?.scrollIntoView({ block: 'nearest' })
    place?.querySelector<HTMLElement>('input[type="radio"]')?.focus()
  }

  return (
    <div ref={bar} className={batch.bar}>
      <span className={batch.sentence}>{barText(counts)}</span>
      <Button variant="default" onClick={onBack} disabled={check.busy === 'running'}>
        Back
      </Button>
      {label !== null && (
        <SteadyButton loading={check.busy === 'running'} onClick={handleRun}>
          {open ? `Choose what to do with ‘${open.name}’ first.` : label}
        </SteadyButton>
      )}
    </div>
  )
}

function Notice({ check, onRun }: { check: ListCheck; onRun: () => void }) {
  const { notice, busy } = check
  if (notice === null) return null
  const isCheck = notice.kind === 'unchecked'
  return (
    <div className={classes.notice}>
      <Banner
        kind={notice.kind === 'stale' ? 'warning' : 'error'}
        icon={notice.kind === 'stale' ? TriangleAlert : CircleAlert}
        actions={
          notice.kind !== 'stale' && (
            <SteadyButton
              size="compact-sm"
              variant="default"
              loading={busy !== null}
              onClick={isCheck ? check.checkAgain : onRun}
            >
              Try again
            </SteadyButton>
          )
        }
      >
        <NoticeText notice={notice} />
      </Banner>
    </div>
  )
}

function NoticeText({ notice }: { notice: CheckNotice }) {
  switch (notice.kind) {
    case 'stale':
      return staleText(notice.count)
    case 'refused':
      return (
        <>
          <strong>Nothing was created or changed.</strong> {notice.message}
        </>
      )
    case 'lost':
      return RUN_NOT_ANSWERED
    case 'unchecked':
      return notice.message ?? NEEDS_CONNECTION
  }
}
