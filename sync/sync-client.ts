import { unsentChanges } from './device/device.ts'
import type { EditorSession, OpenText } from './editing/editor-session.ts'
import { restoreSnapshots } from './editing/exit-snapshot.ts'
import { type Opening, openAnew, readOpening } from './editing/open-draft.ts'
import { openText } from './editing/open-text.ts'
import type { BusMessage, Ports, Refusal } from './ports.ts'
import { retryDelay } from './protocol/backoff.ts'
import { mayPass } from './protocol/error-response.ts'
import type { Fetched } from './protocol/push-result.ts'
import { createPull, NOT_FETCHED } from './pull/pull.ts'
import { createFollower } from './pull/pull-loop.ts'
import { queueCompletion, withdrawCompletion } from './push/completion.ts'
import { createPushLoop, effectsOf, type PushLoop } from './push/push-loop.ts'
import { hurry } from './push/retry-policy.ts'
import { nextDue } from './push/schedule.ts'
import { type BlockedActions, blockedActions } from './push/strays.ts'
import { type ArticleView, readArticleView } from './status/article-view.ts'
import type { LocalDatabase } from './store/database.ts'
import { heedingEpoch } from './store/epoch.ts'
import { articlesLeft } from './store/exit-snapshots.ts'
import { rerunLiveQueries } from './store/live-queries.ts'
import { forgetMemoryNotes } from './store/memory-notes.ts'
import { createRetry, probe, untilLost, watchClosings } from './store/with-retry.ts'

/** The interface of the sync core to one tab of the signed-in user. */
export type SyncClient = BlockedActions & {
  readonly userId: string
  readonly database: LocalDatabase
  /** Opens the local database, or rejects. Then restores exit snapshots, and after that begins to push and pull. */
  start(): Promise<void>
  /** Flushes what is open and stops every timer. The database stays usable for reading. */
  stop(): Promise<void>
  /** Fetches the article (a local copy is usable before this resolves), for the `tries`th time in a row. */
  load(articleId: string, tries?: number): Promise<LoadOutcome>
  /** The state of the article on this device. Undefined when there is none. */
  view(articleId: string): Promise<ArticleView | undefined>
  /** Opens the text for writing. Null when this computer has no copy of it. */
  open(articleId: string): Promise<OpenText | null>
  /** Queues the completion (or reopening) after the pending text. */
  setCompleted(articleId: string, completed: boolean): Promise<void>
  /**
   * Withdraws a completion that is unsent or whose last attempt failed. While a request is in flight, the article is
   * fetched afterwards. Returns false when it was applied already.
   */
  withdrawCompletion(articleId: string): Promise<boolean>
  /** Pushes and pulls now: the network is back, the tab is visible, the user pressed the button. */
  wake(): void
  /** The page is being hidden or closed: writes an exit snapshot of every text, also of closed ones not written yet. */
  saveExitSnapshot(): void
  /** The page is frozen or put away, until the next `wake`: another tab takes over the event stream. */
  rest(): void
  /** Writes every open text to the local database. */
  flush(): Promise<void>
  /** Tries for `ms` to empty the queue. Returns true when nothing is left unsent. */
  drain(ms: number): Promise<boolean>
  /** Calls back with refusals by the server, once per cause, for the snackbar. Returns an unsubscribe function. */
  onRefusal(hear: (refusal: Refusal) => void): () => void
}

/** `dueAt`: time of the next attempt, in milliseconds since 1970; null for a permanent refusal. */
export type LoadOutcome =
  | { kind: 'loaded' }
  | (Exclude<Fetched, { kind: 'article' }> & { dueAt: number | null })

export type { Refusal } from './ports.ts'

export type SyncOptions = {
  userId: string
  tabId: string
  database: LocalDatabase
  /** Deletes old texts on this computer whose words are kept elsewhere. */
  prune: (database: LocalDatabase, now: number) => Promise<void>
  /** The user of the stored session, null when signed out. Nothing is sent for any other user. */
  signedInUser?: () => string | null
}

/** Nothing is typed yet while the database opens for the first time, which may include an upgrade. */
const BOOT_PATIENCE = 4
/** Time for the other tabs to write what was typed there, before a completion is sent. */
const OTHER_TABS_MS = 300
/** A hanging database delays a sign-out no longer. */
const STOP_MS = 3_000
/** Old texts are deleted once the page has loaded: until then everything waits for this database. */
const PRUNE_AFTER_MS = 5_000
const PRUNE_EVERY_MS = 60 * 60_000
const DRAIN_STEP_MS = 500
/** Push first; refreshing every live query would delay it. */
const LOOK_AGAIN_MS = 200
/** A live tab discards its exit snapshot, or renews its note of text in memory, well within this time. */
const LEFT_BEHIND_MS = 60_000

export function createSyncClient(world: Ports, options: SyncOptions): SyncClient {
  const { clock, bus } = world
  const { database, userId, tabId, signedInUser = () => userId } = options
  const send = heedingEpoch(world.send, database, () => follower.askAgain())
  const ports: Ports = { ...world, send }
  const effects = effectsOf(ports)
  const texts = new Set<EditorSession>()
  const hearers = new Set<(refusal: Refusal) => void>()
  const cancels: (() => void)[] = []
  const retrying = createRetry(clock, database, () => !stopped)
  let stopped = false
  let opened = 0
  let cancelLook = () => {}
  let isOpen: Promise<unknown> = Promise.resolve()
  let isRecovered: Promise<void> = Promise.resolve()

  const puller = createPull(ports, {
    database,
    effects,
    textChanged,
    dueNow: () => engine.trigger(),
  })
  const engine: PushLoop = createPushLoop(ports, {
    database,
    userId,
    signedInUser,
    textChanged,
    fetchArticle: puller.fetchArticle,
    reachedServer: () => bus.post({ kind: 'reached-server' }),
    historyOver: () => follower.askAgain(),
    refused(refusal) {
      tell(refusal)
      bus.post({ kind: 'refused', refusal })
    },
  })

  function tell(refusal: Refusal): void {
    for (const hear of hearers) hear(refusal)
  }

  function textChanged(articleId: string): void {
    followers(articleId)
    bus.post({ kind: 'text-written', articleId })
  }

  function followers(articleId: string): void {
    for (const text of texts) if (text.articleId === articleId) text.follow()
  }

  /** A tab may have crashed between its write and its message about it. */
  function followAll(): void {
    for (const text of texts) text.follow()
    rerunLiveQueries()
  }

  async function flushAll(): Promise<void> {
    await Promise.all([...texts].map((text) => text.flush()))
  }

  function receive(message: BusMessage): void {
    if (message.kind === 'text-written') followers(message.articleId)
    else if (message.kind === 'refused') tell(message.refusal)
    else if (message.kind === 'flush-please') void flushAll()
    else if (message.kind === 'reached-server') engine.trigger()
  }

  const follower = createFollower(ports, {
    database,
    userId,
    tabId,
    signedInUser,
    puller,
    engine,
    heal: () => probe(retrying, database),
    async regularly() {
      await probe(retrying, database)
      followAll()
      await foldLeftBehind(isLongAgo)
      await forgetMemoryNotes(database, isLongAgo).catch(() => {})
    },
  })

  /** A time in the future is from before the clock was set back. */
  function isLongAgo(time: number): boolean {
    const age = clock.now() - time
    return age < 0 || age >= LEFT_BEHIND_MS
  }

  /** Restores the exit snapshots of tabs that were closed at such times, while this one stayed open. */
  async function foldLeftBehind(isOf: (time: number) => boolean): Promise<void> {
    const articles = await restoreSnapshots(database, effects, { isOf }).catch(() => [])
    for (const articleId of articles) textChanged(articleId)
    if (articles.length > 0) engine.trigger()
  }

  /** Restores exit snapshots. An article that is sent or merged before this ends has its own restored first. */
  async function recover(): Promise<void> {
    // Requests on a handle that stopped responding never settle.
    await probe(retrying, database)
    const fold = () =>
      Promise.all([foldLeftBehind(() => true), forgetMemoryNotes(database).catch(() => {})])
    await untilLost(clock, database, fold).catch(() => {})
    follower.start(engine.wake())
  }

  /** A newly created draft would be edited, and then be mistaken for the base of the exit snapshot. */
  async function openRecovered(articleId: string): Promise<Opening> {
    await isRecovered
    if (articlesLeft(database).has(articleId))
      await retrying.run(() => restoreSnapshots(database, effects, { articleId })).catch(() => [])
    return retrying.run(() => openAnew(database, articleId))
  }

  function prune() {
    void options.prune(database, clock.now()).catch(() => {})
    cancels.push(clock.after(PRUNE_EVERY_MS, prune))
  }

  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))

  return {
    userId,
    database,
    async start() {
      cancels.push(bus.listen(receive))
      watchClosings(clock, database, { isWanted: () => !stopped, healed: followAll })
      const boot = createRetry(clock, database, () => !stopped, BOOT_PATIENCE)
      isOpen = boot.run(() => database.open())
      isRecovered = isOpen.then(recover).catch(() => {})
      cancels.push(clock.after(PRUNE_AFTER_MS, prune))
      await isOpen
    },
    async stop() {
      await flushAll()
      await Promise.race([isRecovered, pause(STOP_MS)])
      stopped = true
      engine.stop()
      follower.stop()
      cancelLook()
      for (const cancel of cancels.splice(0)) cancel()
    },
    async load(articleId, tries = 1) {
      const fetched = await puller.fetchArticle(articleId).catch(() => NOT_FETCHED)
      if (fetched.kind === 'article') return { kind: 'loaded' }
      const isFinal = fetched.kind === 'refused' && !mayPass(fetched.status)
      const wait = Math.max(retryDelay(tries, ports.random), fetched.waitMs ?? 0)
      return { ...fetched, dueAt: isFinal ? null : clock.now() + wait }
    },
    view: (articleId) => readArticleView(database, articleId),
    async open(articleId) {
      await isOpen
      // No row has its latest words yet.
      const closed = [...texts].find((text) => text.articleId === articleId && text.reopen())
      if (closed) return closed
      const known = await retrying.run(() => readOpening(database, articleId))
      const { draft, epoch, article } = known ?? (await openRecovered(articleId))
      if (!draft) return null
      // Skips what reads the database: an editor saves directly when that is what failed.
      const text = openText(world, {
        database,
        articleId,
        // One id per text: the exit snapshot of one must not replace another's.
        tabId: `${tabId}.${++opened}`,
        draft,
        epoch,
        written({ isRecreated, isMoved }) {
          // The page continues to show an article whose rows were deleted, and reads its state from them.
          if (isRecreated && article) void database.articles.add(article).catch(() => {})
          bus.post({ kind: 'text-written', articleId })
          for (const other of texts)
            if (other !== text && other.articleId === articleId) other.follow()
          if (isMoved) void nextDue(database).then(engine.wakeAt)
        },
        closed: () => texts.delete(text),
        left: () => void hurry(database, clock.now()).then(engine.trigger, () => {}),
        isWanted: () => !stopped,
      })
      texts.add(text)
      return text
    },
    async setCompleted(articleId, completed) {
      bus.post({ kind: 'flush-please', articleId })
      await flushAll()
      const entry = { key: ports.newId(), dueAt: clock.now() + OTHER_TABS_MS }
      const refusal = await retrying.run(() =>
        queueCompletion(database, articleId, completed, entry),
      )
      if (refusal) tell(refusal)
      engine.wakeAt(await nextDue(database))
    },
    async withdrawCompletion(articleId) {
      const { isWithdrawn, mayBeTaken } = await retrying.run(() =>
        withdrawCompletion(database, articleId),
      )
      if (!mayBeTaken) return isWithdrawn
      await puller.fetchArticle(articleId).catch(() => {})
      return (await database.articles.get(articleId))?.completed !== 1
    },
    ...blockedActions(ports, { database, flush: flushAll, trigger: () => engine.trigger() }),
    wake() {
      for (const text of texts) text.retry()
      const pushing = probe(retrying, database).then(() => engine.wake())
      for (const text of texts) text.follow()
      cancelLook()
      cancelLook = clock.after(LOOK_AGAIN_MS, rerunLiveQueries)
      follower.wake(pushing)
    },
    saveExitSnapshot() {
      for (const text of texts) text.saveExitSnapshot()
    },
    rest: follower.rest,
    flush: flushAll,
    async drain(ms) {
      const deadline = clock.now() + ms
      await probe(retrying, database)
      await flushAll()
      await foldLeftBehind(() => true)
      await hurry(database, clock.now())
      for (;;) {
        await engine.wake()
        engine.trigger()
        const left = deadline - clock.now()
        await Promise.race([engine.settled(), pause(left)])
        if ((await unsentChanges(database)).length === 0) return true
        if (clock.now() >= deadline) return false
        await pause(Math.min(DRAIN_STEP_MS, deadline - clock.now()))
      }
    },
    onRefusal(hear) {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
  }
}
