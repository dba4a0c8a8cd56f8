import { UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { relativeDay } from '../../../../domain/calendar/moments.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import type { Version } from '../../../../sync/history/versions.ts'
import { useNow } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { Tabs } from '../../../ui/lists/tabs.tsx'
import { useSteadyList } from '../../../ui/lists/use-steady-list.ts'
import { Moon } from '../../../ui/moon/moon.tsx'
import { wordsOf } from '../../../ui/words/figure.ts'
import { SidePanel } from '../panel/side-panel.tsx'
import { TextEntities } from '../scorecard/scorecard.tsx'
import { useScorecard } from '../scorecard/use-scorecard.ts'
import { ArticleLog } from './article-log.tsx'
import { byDay } from './by-day.ts'
import tabs from './panel-tabs.module.css'
import { useChangedWords } from './use-changed-words.ts'
import type { VersionsPage } from './use-versions.ts'
import { keptBy, kindOf, type ShownChange, timesOf } from './version-words.ts'
import classes from './versions-panel.module.css'

const A_MINUTE_MS = 60_000
const TABS = ['Versions', 'Log'] as const

type VersionsPanelProps = { page: VersionsPage; keywordList: readonly Keyword[] }

/** Replaces the scorecard while the user looks for an earlier text, or at what happened to the article. */
export function VersionsPanel({ page, keywordList }: VersionsPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const entities = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useState<(typeof TABS)[number]>('Versions')
  const panelId = useId()
  const { shownText } = page
  const isBrowsing = page.selected === null
  // At first, and when the text that was looked at is put away together with its buttons.
  useEffect(() => {
    if (isBrowsing) panel.current?.querySelector('button')?.focus()
  }, [isBrowsing])

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') page.close()
    if (entities.current?.contains(event.target as HTMLElement)) return
    const options = [...(panel.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
    const index = options.indexOf(event.target as HTMLElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: options.length - 1 }[
      event.key
    ]
    if (next === undefined || options.length === 0) return
    event.preventDefault()
    options[next]?.focus()
  }

  return (
    <SidePanel
      ref={panel}
      title="Versions"
      intro="Choose an earlier version to compare it with the current one."
      onBack={page.close}
      onKeyDown={handleKeyDown}
    >
      <Tabs
        label="Versions and log"
        names={TABS}
        chosen={tab}
        choose={setTab}
        panelId={panelId}
        classes={tabs}
      />
      <div id={panelId} className={classes.panel} role="tabpanel" aria-label={tab}>
        {tab === 'Log' ? (
          <ArticleLog articleId={page.articleId} />
        ) : (
          <>
            <Versions page={page} />
            <p className={classes.state} role="status">
              {stateOf(page)}
            </p>
            {shownText && keywordList.length > 0 && (
              <div ref={entities} className={classes.entities}>
                <VersionEntities editor={shownText} keywordList={keywordList} />
              </div>
            )}
          </>
        )}
      </div>
    </SidePanel>
  )
}

type VersionEntitiesProps = { editor: Editor; keywordList: readonly Keyword[] }

/** The entities of the article in the version that is shown. Used ones are never hidden: there is nothing left to do. */
function VersionEntities({ editor, keywordList }: VersionEntitiesProps) {
  const scorecard = useScorecard(editor, keywordList)
  return (
    <>
      <h2 className={classes.entitiesHead}>Entities in this version</h2>
      <TextEntities {...scorecard} readOnly hideUsed={false} />
    </>
  )
}

/** One tab stop for the whole list; the arrow keys move in it, as in every list box. */
function Versions({ page }: { page: VersionsPage }) {
  const { selected, select } = page
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const { list, handlers } = useSteadyList(page.list)
  const changes = useChangedWords(list)
  if (list?.length === 0) return <p className={classes.none}>No earlier versions yet.</p>
  const byDate = byDay(list ?? [], ({ at }) => relativeDay(at, now, dates))
  const days = byDate.map(([day, versions]) => ({ day, versions, times: timesOf(versions, dates) }))
  const tabStop = (list?.find(({ key }) => key === selected?.key) ?? list?.[0])?.key
  return (
    <div className={classes.list} role="listbox" aria-label="Earlier versions" {...handlers}>
      {days.map(({ day, versions, times }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has groups and no field sets
        <div key={day} role="group" aria-label={day}>
          <div className={classes.day} aria-hidden="true">
            {day}
          </div>
          {versions.map((version, index) => (
            <UnstyledButton
              key={version.key}
              className={classes.version}
              role="option"
              aria-selected={version.key === selected?.key}
              tabIndex={version.key === tabStop ? 0 : -1}
              onClick={() => select(version)}
            >
              <Line version={version} time={times[index]} change={changes.get(version.key)} />
            </UnstyledButton>
          ))}
        </div>
      ))}
    </div>
  )
}

type LineProps = {
  version: Version
  time: string | undefined
  change: ShownChange | null | undefined
}

function Line({ version, time, change }: LineProps) {
  const handIn = version.server?.handIn ?? null
  return (
    <>
      <span>
        <span className={classes.time}>{time}</span>{' '}
        <span className={classes.kind}>{kindOf(version)}</span>
      </span>
      <span className={classes.words}>{wordsOf(version.words)}</span>
      <span dir="auto">{keptBy(version)}</span>
      {change && (
        <span className={classes.words}>
          <span aria-hidden="true">{change.shown}</span>
          <span className="visually-hidden">, {change.read}</span>
        </span>
      )}
      {handIn !== null && (
        <span className={classes.handIn}>
          <Moon size={15} k={1} tone="full" checked />
          Handed in, hand-in {handIn}
        </span>
      )}
    </>
  )
}

/** Whether this is all there is. */
function stateOf({ listing, list }: VersionsPage): string {
  if (listing?.kind === 'unreachable') {
    return 'You are offline. These are the versions on this computer.'
  }
  if (listing?.kind === 'refused') return listing.message
  return list === null || listing === null ? 'Loading…' : ''
}
