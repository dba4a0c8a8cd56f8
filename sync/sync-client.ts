import { unsentChanges } from './device/device.ts'
import type { OpenText } from './editing/editor-session.ts'
import { createOpenTexts } from './editing/open-texts.ts'
import { createRecovery } from './editing/recovery.ts'
import {
  type Bus,
  type BusMessage,
  type Clock,
  effectsOf,
  type Ports,
  type Refusal,
} from './ports.ts'
import type { OpenPresence, Presence } from './presence/presence.ts'
import { createOpenArticles } from './pull/open-articles.ts'
import { createPull, type LoadOutcome } from './pull/pull.ts'
import { createPullLoop } from './pull/pull-loop.ts'
import { type BlockedActions, blockedActions } from './push/blocked-actions.ts'
import { type CompletionActions, completionActions } from './push/completion.ts'
import { type NoteActions, noteActions } from './push/notes.ts'
import { createPushLoop, type PushLoop } from './push/push-loop.ts'
import { hurry } from './push/retry-policy.ts'
import { nextDue } from './push/schedule.ts'
import { type ArticleView, readArticleView } from './status/article-view.ts'
import type { LocalDatabase } from './store/database.ts'
import { heedingEpoch } from './store/epoch.ts'
import { rerunLiveQueries } from './store/live-queries.ts'
import { createRetry, probe, watchClosings } from './store/with-retry.ts'

/** The interface of the sync core to one tab of the signed-in user. */
export type SyncClient = BlockedActions &
  CompletionActions &
  NoteActions & {
    readonly userId: string
    readonly database: LocalDatabase
    /** Opens the local database, or rejects. Then restores exit snapshots, and after that begins to push and pull. */
    start(): Promise<void>
    /** Flushes what is open and stops every timer. The database stays usable for reading. */
    stop(): Promise<void>
    /** Fetches receipts, notes and plan of the article if the server has others. Returns false when it could not. */
    refreshRecord(articleId: string): Promise<boolean>
    /** Fetches the article (a local copy is usable before this resolves), for the `tries`th time in a row. */
    load(articleId: string, tries?: number): Promise<LoadOutcome>
    /** The state of the article on this device. Undefined when there is none. */
    view(articleId: string): Promise<ArticleView | undefined>
    /** Opens the text for writing. Null when this computer has no copy of it. */
    open(articleId: string): Promise<OpenText | null>
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
    /** Who else has an article open. Null where its code is missing; rejects when that could not be loaded. */
    presence(): Promise<Presence | null>
    /** Calls back with refusals by the server, once per cause, for the snackbar. Returns an unsubscribe function. */
    onRefusal(listener: (refusal: Refusal) => void): () => void
  }

export type { Refusal } from './ports.ts'
export type { LoadOutcome } from './pull/pull.ts'

export type SyncOptions = {
  userId: string
  tabId: string
  database: LocalDatabase
  /** Deletes old texts on this computer whose words are kept elsewhere. */
  prune: (database: LocalDatabase, now: number) => Promise<void>
  /** Loads what says who else has an article open. */
  loadPresence?: () => Promise<OpenPresence>
  /** The user of the stored session, null when signed out. Nothing is sent for any other user. */
  signedInUser?: () => string | null
}

/** A hanging database delays a sign-out no longer. */
const STOP_MS = 3_000
/** Old texts are deleted once the page has loaded: until then everything waits for this database. */
const PRUNE_AFTER_MS = 5_000
/** By then the page is displayed. A tab without an article needs it too: it may have the event stream for all. */
const PRESENCE_AFTER_MS = 2_000
const PRUNE_EVERY_MS = 60 * 60_000
const DRAIN_STEP_MS = 500
/** Push first; refreshing every live query would delay it. */
const RERUN_AFTER_MS = 200

export function createSyncClient(world: Ports, options: SyncOptions): SyncClient {
  const { clock, bus } = world
  const { database, userId } = options
  const parts = createParts(world, options)
  const { ports, life, retrying, refusals, texts, recovery, pull, pushLoop, pullLoop } = parts
  const { flush, saveExitSnapshot } = texts
  const cancels: (() => void)[] = []
  let cancelRerun = () => {}
  let presence: Presence | null = null

  async function openPresence(): Promise<Presence | null> {
    const open = await options.loadPresence?.()
    if (open && life.isWanted()) presence ??= open(world, { ...options, stream: pullLoop.stream })
    return presence
  }

  function receive(message: BusMessage): void {
    if (message.kind === 'text-written') texts.follow(message.articleId)
    else if (message.kind === 'refused') refusals.notify(message.refusal)
    else if (message.kind === 'flush-please') void flush()
    else if (message.kind === 'reached-server') pushLoop.trigger()
    else if (message.kind === 'missed') parts.openArticles.note(message.until)
  }

  return {
    userId,
    database,
    async start() {
      cancels.push(
        bus.listen(receive),
        pruneRegularly(clock, options),
        clock.after(PRESENCE_AFTER_MS, () => void openPresence().catch(() => {})),
      )
      watchClosings(clock, database, { isWanted: life.isWanted, healed: parts.followAll })
      await recovery.start()
    },
    async stop() {
      presence?.stop()
      await flush()
      await Promise.race([recovery.done(), pauseOf(clock, STOP_MS)])
      life.end()
      pushLoop.stop()
      pullLoop.stop()
      for (const cancel of [cancelRerun, ...cancels]) cancel()
    },
    load: pull.load,
    refreshRecord: pull.refreshRecord,
    view: (articleId) => readArticleView(database, articleId),
    open: texts.open,
    ...completionActions(ports, { ...parts, flush, refused: refusals.notify }),
    ...blockedActions(ports, { database, flush, trigger: pushLoop.trigger }),
    ...noteActions(ports, { database, retrying, trigger: pushLoop.trigger }),
    presence: openPresence,
    wake() {
      presence?.wake()
      texts.retry()
      const pushing = probe(retrying, database).then(pushLoop.wake)
      texts.followAll()
      cancelRerun()
      cancelRerun = clock.after(RERUN_AFTER_MS, rerunLiveQueries)
      pullLoop.wake(pushing)
    },
    saveExitSnapshot,
    rest() {
      presence?.rest()
      pullLoop.rest()
    },
    flush,
    drain: (ms) => drain(parts, ms),
    onRefusal: refusals.listen,
  }
}

type Parts = ReturnType<typeof createParts>

/** What the client is composed of. They call each other through the functions that each is given. */
function createParts(world: Ports, options: SyncOptions) {
  const { clock, bus } = world
  const { database, userId } = options
  const life = createLife()
  const refusals = createRefusals(bus)
  const retrying = createRetry(clock, database, life.isWanted)
  const askAgain = () => pullLoop.askAgain()
  const ports: Ports = { ...world, send: heedingEpoch(world.send, database, askAgain) }
  const effects = effectsOf(ports)
  const ofTab = { signedInUser: () => userId, ...options, ...life, clock, effects, retrying }

  function textChanged(articleId: string): void {
    texts.follow(articleId)
    bus.post({ kind: 'text-written', articleId })
  }

  /** A tab may have crashed between its write and its message about it. */
  function followAll(): void {
    texts.followAll()
    rerunLiveQueries()
  }
  const dueNow = () => pushLoop.trigger()

  const pull = createPull(ports, { ...ofTab, textChanged, dueNow })
  const pushLoop: PushLoop = createPushLoop(ports, {
    ...ofTab,
    textChanged,
    fetchArticle: pull.fetchArticle,
    // The next pull fetches what this could not.
    recordMoved: (articleId) => void pull.refreshRecord(articleId).catch(() => {}),
    reachedServer: () => bus.post({ kind: 'reached-server' }),
    epochOver: askAgain,
    refused: refusals.announce,
  })
  const recovery = createRecovery({
    ...ofTab,
    textChanged,
    dueNow,
    finished: () => pullLoop.start(pushLoop.wake()),
  })
  const texts = createOpenTexts(world, {
    ...ofTab,
    recovery,
    queueMoved: () => void nextDue(database).then(pushLoop.wakeAt),
    left: () => void hurry(database, clock.now()).then(pushLoop.trigger, () => {}),
  })
  const openArticles = createOpenArticles(world, {
    ...ofTab,
    pull,
    articleIds: texts.articleIds,
  })
  const pullLoop = createPullLoop(ports, {
    ...ofTab,
    pull,
    pushLoop,
    recovery,
    followAll,
    openArticles,
  })
  return {
    openArticles,
    database,
    ports,
    life,
    refusals,
    retrying,
    followAll,
    pull,
    pushLoop,
    recovery,
    texts,
    pullLoop,
  }
}

/** `isWanted`: false once the user signed out: what is removed from this device then stays removed. */
function createLife() {
  let isOver = false
  return {
    isWanted: () => !isOver,
    end() {
      isOver = true
    },
  }
}

/** Notifies of refusals in this tab; `announce` does so in every tab. */
function createRefusals(bus: Bus) {
  const listeners = new Set<(refusal: Refusal) => void>()
  function notify(refusal: Refusal): void {
    for (const listener of listeners) listener(refusal)
  }
  return {
    notify,
    announce(refusal: Refusal): void {
      notify(refusal)
      bus.post({ kind: 'refused', refusal })
    },
    listen(listener: (refusal: Refusal) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns a function that ends it. */
function pruneRegularly(clock: Clock, { database, prune }: SyncOptions): () => void {
  let cancel = clock.after(PRUNE_AFTER_MS, run)
  function run(): void {
    void prune(database, clock.now()).catch(() => {})
    cancel = clock.after(PRUNE_EVERY_MS, run)
  }
  return () => cancel()
}

const pauseOf = (clock: Clock, ms: number) =>
  new Promise<void>((resolve) => clock.after(ms, resolve))

/** Tries for `ms` to empty the queue. Returns true when nothing is left unsent. */
async function drain({ ports, database, retrying, recovery, texts, pushLoop }: Parts, ms: number) {
  const { clock } = ports
  const deadline = clock.now() + ms
  await probe(retrying, database)
  await texts.flush()
  await recovery.restoreLeft(() => true)
  await hurry(database, clock.now())
  for (;;) {
    await pushLoop.wake()
    pushLoop.trigger()
    await Promise.race([pushLoop.settled(), pauseOf(clock, deadline - clock.now())])
    if ((await unsentChanges(database)).length === 0) return true
    if (clock.now() >= deadline) return false
    await pauseOf(clock, Math.min(DRAIN_STEP_MS, deadline - clock.now()))
  }
}
