import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { TestUser } from '../../api/testing/test-app.ts'
import type { Session } from '../../domain/wire/users.ts'
import { type Authority, createSend } from '../auth/authenticated-send.ts'
import { createStream } from '../auth/authenticated-stream.ts'
import type { OpenText } from '../editing/editor-session.ts'
import { pruneRevisions } from '../history/prune-revisions.ts'
import type { HttpAnswer, HttpRequest, Ports, Send, SessionStore } from '../ports.ts'
import { LocalDatabase } from '../store/database.ts'
import { createSyncClient, type SyncClient } from '../sync-client.ts'
import { createSnapshotStore } from '../testing/test-world.ts'
import { attach, followCopy, showText } from './article-page.ts'
import type { CoreFaults } from './breakable.ts'
import type { CompletionOrder } from './completion-order.ts'
import { createDisk } from './disk.ts'
import { storageOf, withoutLiveQueries } from './kill-switch.ts'
import { createManners, type Manners } from './manners.ts'
import type { Line } from './network.ts'
import { clockWithin, createPage, locksWithin, type Page, within } from './page.ts'
import { createProfileBus } from './profile-bus.ts'
import type { Random } from './random.ts'
import { createSaveOutcomes } from './save-outcomes.ts'
import type { PushLoop } from './server-image.ts'
import { singleExchanges, singleRequests } from './single-changes.ts'
import type { Streams } from './streams.ts'
import { clockOn, type Timeline } from './timeline.ts'
import { createProfileLocks } from './virtual-locks.ts'
import { createWriterEditor, type WriterEditor } from './writer-editor.ts'
// Modules that are loaded on demand are imported here: loading one takes real time.
import '../editing/both-places.ts'
import '../editing/overwritten-texts.ts'
import '../pull/fetch-record.ts'
import '../pull/copies.ts'
import '../push/bring-back-overwritten.ts'

export type Tab = {
  readonly name: string
  readonly articleId: string
  /** The user of the page. */
  readonly personId: string
  readonly page: Page
  readonly database: LocalDatabase
  readonly client: SyncClient
  readonly editor: WriterEditor
  /** Null until this device has the text. */
  text: OpenText | null
  /** Since when the page runs without interruption. */
  awakeSince: number
}

/** A deliberate fault of the core, put between it and the world. */
export type Breakage = {
  send?: (send: Send, database: LocalDatabase, newId: () => string) => Send
  ports?: (ports: Ports) => Ports
  /** Functions of the core; only where the test file made the core breakable. */
  core?: CoreFaults
  /** Pages accept any session as their user's own, or all users share one database. */
  confuses?: 'sessions' | 'databases'
  /** A tab cannot know how long the server asked another one to wait. */
  isUncoordinated?: true
  /** Not a fault of the core: the storage under it fails in some of the schedules. */
  hasTroubles?: boolean
  /** Not a fault either: half of the schedules have something of variety.ts. */
  hasVariety?: boolean
  /** Nor this: in some of the schedules the server is restored from a backup. */
  hasRestores?: boolean
  /** Nor this: a proxy between each device and the server (middlebox.ts). */
  hasMiddlebox?: boolean
  /** Nor this: texts are prose whose words and sentences recur, and sections move (everyday.ts). */
  hasEverydayProse?: boolean
  /** Nor this: people type everyday sentences, often at the same place (sentences.ts). */
  hasSentences?: boolean
  /** Words become links, and no address may be lost. */
  hasLinks?: boolean
  /** Nor this: writers add notes to the articles (notes.ts). */
  hasNotes?: boolean
  /** Nor this: where the server has its rows, when not in memory. */
  engine?: PushLoop
}

export type BrowserWorld = {
  timeline: Timeline
  line: Line
  /** Null where pages only poll. */
  streams: Streams | null
  completions: CompletionOrder
  random: Random
  session: Session
  person: TestUser
  /** Different for every browser of every schedule: Dexie knows databases by name in the whole process. */
  databaseName: string
  name: string
  log: (line: string) => void
  newId: () => string
  breakage: Breakage
  /** An uncaught error in a live page. */
  fault: (error: unknown) => void
  /** A request that no core may send. */
  rude: (fault: string) => void
}

export type Browser = ReturnType<typeof createBrowser>

/** Chunks of a block or two each. */
const SHORT_PIECES = { whole: 150, least: 60, most: 200 }

/** One browser profile: its stored session and databases outlive its tabs. */
export function createBrowser(world: BrowserWorld) {
  const { timeline, line, name, breakage, streams } = world
  const locks = createProfileLocks(timeline)
  const disk = createDisk(timeline)
  const engine = {
    indexedDB: new IDBFactory(),
    IDBKeyRange,
    snapshotStore: createSnapshotStore(),
    // The texts of a schedule are too short for the default chunk sizes.
    ...(world.random.branch('pieces').chance(0.5) && { chunkSizes: SHORT_PIECES }),
  }
  const bus = createProfileBus(timeline)
  const kills = new Map<Tab, () => void>()
  const tabs: Tab[] = []
  let tabCount = 0
  let stored: Session | null = world.session
  let signOuts = 0
  let clockOffset = 0
  let expectedSignOuts = 0
  let person = world.person
  const people = new Set([person])
  const left: Tab[] = []
  const outcomes = createSaveOutcomes(timeline.now)
  /** How each user's pages send requests; they know nothing of one another. */
  const mannersOf = new Map<string, Manners>()
  function manners(personId: string): Manners {
    const rude = (message: string) => world.rude(`${name}: ${message}`)
    const known = mannersOf.get(personId) ?? createManners(timeline.now, rude)
    mannersOf.set(personId, known)
    return known
  }
  function forgetWaits(): void {
    for (const all of mannersOf.values()) all.forgetWaits()
  }

  const session: SessionStore = {
    read: () => stored,
    write: (value) => {
      stored = value
    },
  }

  const observed =
    (send: Send, personId: string): Send =>
    async (request) => {
      const askedAt = timeline.now()
      const heard = (answer: HttpAnswer | null) => {
        const isNoted = !disk.hasFailed()
        for (const exchange of singleExchanges(request, answer)) {
          if (personId === person.id) outcomes.heard(...exchange, isNoted)
          manners(personId).heard(...exchange, isNoted, askedAt)
        }
      }
      for (const single of singleRequests(request)) {
        if (personId === person.id) outcomes.sent(single)
        manners(personId).sent(single)
      }
      const answer = send(request)
      answer.then(heard, () => heard(null))
      return answer
    }

  function portsOf(page: Page, tabName: string, database: LocalDatabase): Ports {
    const personId = person.id
    const chance = world.random.branch(tabName)
    const clock = clockWithin(
      page,
      clockOn(timeline, () => clockOffset),
    )
    const tabLocks = locksWithin(page, locks.of(tabName))
    const authority: Authority = {
      transport: (request) =>
        page.isGone() ? new Promise(() => {}) : within(page, line.transport(request)),
      session,
      locks: tabLocks,
      clock,
      onSignedOut: () => {
        signOuts++
        world.log(`${tabName} signed out`)
      },
      ...(breakage.confuses !== 'sessions' && { userId: personId }),
    }
    const watched = observed(createSend(authority), personId)
    const stream = streams && createStream(authority, streams.of(page, personId))
    const ports: Ports = {
      ...(stream && { stream }),
      clock,
      random: chance.next,
      newId: world.newId,
      locks: tabLocks,
      bus: bus.of(page),
      send: breakage.send?.(watched, database, world.newId) ?? watched,
      sendLast: (request: HttpRequest) => {
        const bearer = stored?.user.id === personId && stored.tokens.access.token
        if (bearer) void line.transport({ ...request, bearer }).catch(() => {})
      },
    }
    return breakage.ports?.(ports) ?? ports
  }

  const databaseName = () =>
    breakage.confuses === 'databases'
      ? world.databaseName
      : `${world.databaseName} ${person.id.slice(-2)}`

  async function openTab(articleId: string): Promise<Tab> {
    const userId = person.id
    const tabName = `${name}.${++tabCount}`
    const page = createPage()
    const { indexedDB, kill } = storageOf(engine.indexedDB, disk)
    const database = new LocalDatabase(databaseName(), { ...engine, indexedDB })
    withoutLiveQueries(database)
    await database.open()
    const client = createSyncClient(portsOf(page, tabName, database), {
      userId,
      tabId: tabName,
      database,
      prune: pruneRevisions,
      signedInUser: () => (breakage.confuses === 'sessions' ? userId : (stored?.user.id ?? null)),
    })
    const tab: Tab = {
      name: tabName,
      articleId,
      personId: userId,
      page,
      database,
      client,
      editor: createWriterEditor(),
      text: null,
      awakeSince: timeline.now(),
    }
    kills.set(tab, () => kill(database))
    tabs.push(tab)
    world.log(`${tabName} opens`)
    showText(tab).catch((error) => page.isGone() || !disk.isSound() || world.fault(error))
    return tab
  }

  const without = (tab: Tab) => (tabs.includes(tab) ? tabs.splice(tabs.indexOf(tab), 1) : [])

  function forget(tab: Tab): void {
    without(tab)
    tab.page.end()
    outcomes.forget()
    manners(tab.personId).pageGone()
    kills.get(tab)?.()
    kills.delete(tab)
    bus.release(tab.page)
    streams?.release(tab.page)
    locks.release(tab.name)
    tab.database.close()
  }

  return {
    name,
    tabs,
    line,
    streams,
    disk,
    outcomes,
    completions: world.completions,
    openTab,
    attach,
    followCopy,
    /** Its memory is lost at once. */
    crash: forget,
    isSignedIn: () => stored !== null,
    /** How often the session ended unexpectedly. */
    lostSessions: () => signOuts - Math.min(signOuts, expectedSignOuts),
    person: () => person,
    /** The users who ever worked here. */
    people,
    /** The page stays open in the background and is never used again. */
    leaveBehind: (tab: Tab) => void left.push(...without(tab)),
    signInAs(next: TestUser, session: Session) {
      person = next
      people.add(next)
      stored = session
      outcomes.forget()
      world.completions.forget()
    },
    end() {
      for (const tab of [...tabs, ...left.splice(0)]) forget(tab)
    },
    /** The session was ended elsewhere: this browser will notice. */
    sessionEnded() {
      if (stored) expectedSignOuts++
    },
    signIn(session: Session) {
      stored = session
    },
    withdrawn: (articleId: string) => manners(person.id).withdrawn(articleId),
    forgetWaits,
    moveClock(ms: number) {
      forgetWaits()
      clockOffset += ms
    },
  }
}
