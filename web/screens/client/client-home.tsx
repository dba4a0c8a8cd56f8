import { TextInput, Title } from '@mantine/core'
import { Search } from 'lucide-react'
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { firstName } from '../../../domain/access/session.ts'
import { isGone } from '../../../sync/push/received.ts'
import type { SyncSummary } from '../../../sync/status/sync-summary.ts'
import { useApp, useLoaded, useNames, usePageTitle, useSignedIn } from '../../app/app-context.tsx'
import { once } from '../../app/once.ts'
import { SEARCH_KEYS, useSearchKeys } from '../../ui/lists/use-search-keys.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import { ArticleCard, NoMatchCard } from './article-card.tsx'
import classes from './client-home.module.css'
import { articlesFor } from './home-list.ts'
import { SyncLine } from './sync-line.tsx'
import { useBlockedDrafts } from './use-blocked-drafts.ts'
import { useHome } from './use-home.ts'

const fetchLostWork = once(
  async () => (await import('../../unsent/lost-work-banner.tsx')).LostWorkBanner,
)
const LOST_WORK = { children: 'What the agency has is shown below.' }
const fetchBlockedDrafts = once(
  async () => (await import('./blocked-drafts.tsx')).BlockedDraftsCard,
)

export function ClientHomeScreen() {
  usePageTitle('Home')
  const { articles: all, summary, known } = useHome()
  const blockedDrafts = useBlockedDrafts()
  const lost = useStore(useApp().workspace.store, (state) => state.lostArticles)
  const orphans = new Set(blockedDrafts.filter(isGone).map(({ articleId }) => articleId))
  const articles = all.filter(({ id }) => !orphans.has(id))
  useLoaded(known)
  const { user } = useSignedIn()
  const [search, setSearch] = useState('')
  const searchField = useRef<HTMLInputElement>(null)
  const cards = useFocusedArticle()
  useSearchKeys(searchField)
  const term = search.trim()
  const incomplete = articlesFor(articles, false, term)
  const completed = articlesFor(articles, true, term)
  const hasNoMatch = term !== '' && incomplete.length + completed.length === 0
  const card = {
    blocked: new Set(blockedDrafts.map(({ articleId }) => articleId)),
    offline: summary?.connection === 'offline',
    failing: summary?.connection === 'offline' || summary?.failure != null,
    search: term,
    // Its button goes with the search, and the focus would go with the button.
    onClearSearch: () => {
      setSearch('')
      searchField.current?.focus()
    },
  }
  return (
    <div className={classes.column}>
      <div className={classes.head}>
        <div className={classes.greeting}>
          <Title order={1} className={classes.title}>
            Welcome, {firstName(user.fullName)}
          </Title>
          <p className={classes.welcome}>Here are articles sent to your company from the Agency</p>
        </div>
        <div className={classes.tools}>
          <TextInput
            ref={searchField}
            type="search"
            aria-label="Find an article"
            aria-keyshortcuts={SEARCH_KEYS}
            placeholder="Find an article"
            leftSection={<Search size={16} strokeWidth={1.6} aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <SyncLine summary={summary} blocked={blockedDrafts} />
        </div>
      </div>
      {articles.length === 0 && user.role === 'user' && <NothingHere summary={summary} />}
      <div className={classes.lost}>
        {lost > 0 && <OnDemand fetch={fetchLostWork} wanted="quietly" props={LOST_WORK} />}
      </div>
      {blockedDrafts.length > 0 && (
        <OnDemand fetch={fetchBlockedDrafts} wanted="quietly" props={{ drafts: blockedDrafts }} />
      )}
      <div className={classes.cards} {...cards}>
        {hasNoMatch ? (
          <NoMatchCard {...card} />
        ) : (
          <>
            <ArticleCard
              key={`incomplete ${term}`}
              title="Incomplete Articles"
              empty="No incomplete articles yet"
              articles={incomplete}
              {...card}
            />
            <ArticleCard
              key={`completed ${term}`}
              title="Completed Articles"
              empty="No complete articles yet"
              articles={completed}
              {...card}
            />
          </>
        )}
      </div>
    </div>
  )
}

/** Keeps the focus at an article that goes to the other card, where its link is another element. */
function useFocusedArticle() {
  const cards = useRef<HTMLDivElement>(null)
  const focused = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (focused.current === null || document.activeElement !== document.body) return
    cards.current?.querySelector<HTMLElement>(`a[href="${focused.current}"]`)?.focus()
  })
  return {
    ref: cards,
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target.getAttribute('href')
    },
    // Not called for a link that is taken out of the page.
    onBlur: () => {
      focused.current = null
    },
  }
}

/** A new account belongs to no company yet, and its lists would be empty without a reason (Q21). */
function NothingHere({ summary }: { summary: SyncSummary | undefined }) {
  const { agencyName } = useNames()
  const isAnswered = summary?.lastCheckedAt != null
  const isOffline = summary?.connection === 'offline'
  return (
    <p className={classes.note}>
      {isAnswered
        ? `You don’t have any articles yet. They will appear here once ${agencyName} has added you to your company.`
        : isOffline
          ? 'Your articles will appear here when you are back online.'
          : 'Still loading your articles. This is taking longer than usual.'}
    </p>
  )
}
