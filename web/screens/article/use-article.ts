import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { ownMessage } from '../../../domain/wire/status-message.ts'
import type { OpenText } from '../../../sync/editing/editor-session.ts'
import { NoAnswer } from '../../../sync/ports.ts'
import { type ArticleView, withUnwritten } from '../../../sync/status/article-view.ts'
import type { LoadOutcome, SyncClient } from '../../../sync/sync-client.ts'
import { useApp, useClock, useSync } from '../../app/app-context.tsx'
import { sayLate } from '../../app/late.ts'
import { notices } from '../../app/notices.ts'
import { useAbortableEffect } from '../../ui/use-abortable-effect.ts'
import { refusalWords } from '../../ui/words/refusal-words.ts'
import { useLocalQuery } from '../../use-local-query.ts'

/** Typing saves several times a second; the view need not be queried as often. */
const VIEW_REST_MS = 250

export type ArticlePage =
  | { kind: 'loading' }
  /** Nothing to show: no response and no local copy, or none that can be read. `tryAgain` retries. */
  | { kind: 'unreachable'; tryAgain: () => void }
  /**
   * The server refuses to return the article. Text written here stays reachable through `view`. `retry`: set where the
   * refusal may be temporary; requests it again.
   */
  | { kind: 'refused'; message: string; view: ArticleView | null; retry: Retry | null }
  | { kind: 'open'; view: ArticleView; text: OpenText; copy: Copy | null }

/** `dueAt` in milliseconds since 1970. */
export type Retry = { dueAt: number; tryAgain: () => void }

/** The text shown is an older copy, because the server did not respond. */
export type Copy = { seenAt: number | null }

/** Everything the article page needs to know, kept current. */
export function useArticle(articleId: string): ArticlePage {
  const sync = useSync()
  const { preloadedArticle } = useApp()
  const preloaded = useMemo(
    () => preloadedArticle.opened(sync, articleId),
    [preloadedArticle, sync, articleId],
  )
  const known = useArticleView(sync, articleId, preloaded?.view)
  const { load, tryAgain } = useLoad(sync, articleId, useRemoved(known))
  const view = useLastView(known)
  const hasText = view === undefined ? undefined : view?.hasText === true
  const { text, failed, reopen } = useOpenText(sync, articleId, hasText, preloaded?.text ?? null)
  useLateNotice(load === null && hasText === false)
  useRefusals(sync, articleId)
  useRefusalInMemory(view ?? null)
  useSuccess(view ?? null)
  useFailureNotice(view ?? null)

  const refused = ({ dueAt }: Failed, message: string): ArticlePage => {
    const retry = dueAt === null ? null : { dueAt, tryAgain }
    return { kind: 'refused', message: refusalWords(message), view: view ?? null, retry }
  }
  if (load?.kind === 'refused' && (isGone(load.status) || !view?.hasText)) {
    return refused(load, load.message)
  }
  if (failed) return { kind: 'unreachable', tryAgain: reopen }
  if (view?.hasText) {
    return text ? { kind: 'open', view, text, copy: copyOf(load, view) } : { kind: 'loading' }
  }
  if (load?.kind !== 'unreachable') return { kind: 'loading' }
  const { message } = load
  return message === null ? { kind: 'unreachable', tryAgain } : refused(load, message)
}

/** From the local rows and the state in memory. Null when this device has no data of the article. */
function useArticleView(sync: SyncClient, articleId: string, preloaded: ArticleView | undefined) {
  const view = useLocalQuery<ArticleView | null>(
    async () => (await sync.view(articleId)) ?? null,
    [sync, articleId],
    VIEW_REST_MS,
    preloaded,
  )
  const { unsaved } = sync.database
  const own = useSyncExternalStore(unsaved.listen, () => unsaved.of(articleId))
  return useMemo(() => view && withUnwritten(view, own), [view, own])
}

/** What the page shows stays when the browser's data are cleared: the text in it may be nowhere else. */
function useLastView(view: ArticleView | null | undefined): ArticleView | null | undefined {
  const last = useRef(view)
  if (view) last.current = view
  return view ?? last.current
}

/** True while this computer has no trace of an article that the page has shown. */
function useRemoved(view: ArticleView | null | undefined): boolean {
  const [known, setKnown] = useState(false)
  if (view && !known) setKnown(true)
  return known && view === null
}

/** Not found, or not allowed for this user; other errors may be temporary, and the local copy stays usable. */
const isGone = (status: number): boolean => status === 403 || status === 404 || status === 410

type Load = LoadOutcome & { before: ArticleView | undefined }
type Failed = Exclude<LoadOutcome, { kind: 'loaded' }>

/**
 * Requests the article when the page opens, when it was removed from this device, on demand, and after a temporary
 * failure: when the retry is due, and when the network comes back. One outage shows one snackbar.
 */
function useLoad(sync: SyncClient, articleId: string, removed: boolean) {
  const clock = useClock()
  const [attempt, setAttempt] = useState(0)
  const [load, setLoad] = useState<Load | null>(null)
  const failures = useRef({ inRow: 0, shown: '' })
  const askAgain = useCallback(() => setAttempt((count) => count + 1), [])
  const tryAgain = useCallback(() => {
    failures.current.shown = ''
    askAgain()
  }, [askAgain])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt or a removal is another request
  useAbortableEffect(
    (signal) => {
      void loadArticle(sync, articleId, failures.current.inRow + 1).then((outcome) => {
        if (signal.aborted) return
        setLoad(outcome)
        failures.current = noteFailure(failures.current, outcome)
      })
    },
    [sync, articleId, attempt, removed],
  )

  const dueAt = load === null || load.kind === 'loaded' ? null : load.dueAt
  useEffect(() => {
    if (dueAt === null) return
    const cancel = clock.after(Math.max(0, dueAt - clock.now()), askAgain)
    window.addEventListener('online', askAgain)
    return () => {
      cancel()
      window.removeEventListener('online', askAgain)
    }
  }, [clock, dueAt, askAgain])

  return { load, tryAgain }
}

/** `isWaiting`: there is nothing to show until the server answers. */
function useLateNotice(isWaiting: boolean): void {
  const clock = useClock()
  useEffect(() => (isWaiting ? sayLate(clock) : undefined), [isWaiting, clock])
}

type Failures = { inRow: number; shown: string }

function noteFailure({ inRow, shown }: Failures, outcome: LoadOutcome): Failures {
  if (outcome.kind === 'loaded') return { inRow: 0, shown: '' }
  const { message } = outcome
  if (message !== null && message !== shown) notices.error('Article Error', message)
  return { inRow: inRow + 1, shown: message ?? shown }
}

async function loadArticle(sync: SyncClient, articleId: string, tries: number): Promise<Load> {
  const outcome = await sync.load(articleId, tries)
  const before = await sync.view(articleId).catch(() => undefined)
  return { ...outcome, before }
}

/** Null when the article was loaded, or changed by a response from the server after the load failed. */
function copyOf(load: Load | null, view: ArticleView): Copy | null {
  if (load === null || load.kind === 'loaded') return null
  const { before } = load
  const hasResponded =
    before && (before.seenAt !== view.seenAt || before.updatedAt !== view.updatedAt)
  return hasResponded ? null : { seenAt: view.seenAt }
}

/**
 * Opens the text, unless it was `preloaded`, and closes it when the page is left; `failed` when this device could not
 * read it. `hasText` is undefined until it is known: most often there is one, so opening does not wait for that.
 */
function useOpenText(
  sync: SyncClient,
  articleId: string,
  hasText: boolean | undefined,
  preloaded: OpenText | null,
) {
  const { preloadedArticle } = useApp()
  const [text, setText] = useState(preloaded)
  const [wasMissing, setWasMissing] = useState(false)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isWanted = hasText !== false
  const cameLater = wasMissing && hasText === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: text that came later is opened by another attempt
  useAbortableEffect(
    (signal) => {
      if (!isWanted) return
      setFailed(false)
      const opening = preloadedArticle.take(sync, articleId) ?? sync.open(articleId)
      opening.then(
        (opened) => {
          if (signal.aborted) return
          setText(opened)
          if (!opened) setWasMissing(true)
        },
        () => {
          if (signal.aborted) return
          setFailed(true)
          notices.error('Article Error', 'The copy on this computer cannot be read just now.')
        },
      )
      return () => {
        setText(null)
        opening.then(
          (opened) => opened?.close(),
          () => {},
        )
      }
    },
    [sync, preloadedArticle, articleId, isWanted, cameLater, attempt],
  )
  return { text, failed, reopen: () => setAttempt((count) => count + 1) }
}

/**
 * Refusals are sent to every tab; this page shows those of its own article. For a text that is too large the banner is
 * enough.
 */
function useRefusals(sync: SyncClient, articleId: string): void {
  useEffect(
    () =>
      sync.onRefusal((refusal) => {
        const { articleId: id, status, message } = refusal
        if (id === articleId && status !== TOO_LARGE)
          notices.error('Article Error', message, REFUSED_CHANGE)
      }),
    [sync, articleId],
  )
}

/** Shows the server's refusal of text that could not be stored on this device either, so that no row has it. */
function useRefusalInMemory(view: ArticleView | null): void {
  const refusal = view?.warning?.refusal
  const isOfText = refusal && refusal.reason !== 'sign-in' && refusal.reason !== 'update'
  const message = isOfText ? refusal.message : null
  useEffect(() => {
    if (message !== null) notices.error('Article Error', message, REFUSED_CHANGE)
  }, [message])
}

const TOO_LARGE = 413
const REFUSED_CHANGE = { subject: 'refused change' }

/** Closes the notice of a refused change once the server took the text, or the completion. */
function useSuccess(view: ArticleView | null): void {
  const isSent = view?.saveLine === 'saved' && view.blocked === null
  const isComplete = view?.completed === true && !view.completionPending
  useEffect(() => {
    if (isSent || isComplete) notices.succeed(REFUSED_CHANGE.subject)
  }, [isSent, isComplete])
}

/**
 * One snackbar when saving or completing begins to fail, not one per attempt (Q46). It is closed when the failure ends,
 * because it covers the buttons that can be pressed again.
 */
function useFailureNotice(view: ArticleView | null): void {
  const ofText = view?.warning?.kind === 'durable' ? view.warning.failure : null
  const failure = ofText ?? view?.completionFailure ?? null
  const isFailing = view && failure !== null
  const isSaid = view?.warning != null
  const message = failure?.message ?? null
  const before = useRef<boolean | null>(null)
  const notice = useRef<number | null>(null)
  useEffect(() => {
    if (isFailing === null) return
    if (isFailing && before.current === false) notice.current = showFailure(message, isSaid)
    if (!isFailing && notice.current !== null) notices.close(notice.current)
    before.current = isFailing
  }, [isFailing, isSaid, message])
}

/**
 * Shows the server's message, or a general one when the response has none, unless a banner already says that there was no
 * response. Returns the id of the snackbar.
 */
function showFailure(message: string | null, isSaid: boolean): number | null {
  if (message && ownMessage(message)) return notices.error('Article Error', message)
  if (isSaid) return null
  return message ? notices.error('Article Error') : notices.fail('Article Error', new NoAnswer())
}
