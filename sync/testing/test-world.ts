import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { onTestFinished } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import type { EditorPort } from '../editing/editor-port.ts'
import type { OpenText } from '../editing/editor-session.ts'
import { pruneRevisions } from '../history/prune-revisions.ts'
import {
  type Bus,
  type BusMessage,
  type Clock,
  type HttpRequest,
  LockNotGranted,
  type Locks,
  type Ports,
} from '../ports.ts'
import { openPresence } from '../presence/presence.ts'
import { installSettler } from '../simulation/settle.ts'
import { type DatabaseOptions, type LocalDatabase, openLocalDatabase } from '../store/database.ts'
import type { SnapshotStore } from '../store/exit-snapshots.ts'
import { createSyncClient, type SyncClient } from '../sync-client.ts'
import { createServer, type FakeServer } from './test-server.ts'
// Modules that are loaded on demand are imported here: loading one takes real time.
import '../editing/both-places.ts'
import '../editing/overwritten-texts.ts'
import '../push/bring-back-overwritten.ts'

/** Live queries run only where the process has an IndexedDB of its own. */
Object.assign(Dexie.dependencies, { indexedDB: new IDBFactory(), IDBKeyRange })

/**
 * One device with tabs, a server of a few lines and a clock that moves manually. The requests that the server receives
 * and their outcomes are a log of short strings: '1000 PATCH a1 t1 "one two" k3' and '1000 200 t2'.
 */
export type World = {
  clock: Clock
  server: FakeServer
  database: LocalDatabase
  /** Virtual milliseconds pass, with everything that happens in them. */
  pass(ms: number): Promise<void>
  /** The device sleeps: time passes, timers are suspended, and each keeps its remaining time. */
  sleep(ms: number): void
  /** Everything that needs no time has happened. */
  settle(): Promise<void>
  tab(name: string, options?: TabOptions): Promise<Tab>
  locks: FakeLocks
}

export type TabOptions = {
  userId?: string
  signedInUser?: () => string | null
  isCutOff?: () => boolean
}

export type Tab = {
  name: string
  client: SyncClient
  /** Opens an article in an editor of this tab. */
  edit(articleId: string): Promise<{ editor: FakeEditor; text: OpenText }>
  /** The tab crashes: no timer of it fires again. */
  kill(): void
}

/** Connects to another server than the simple one. */
export type Connect = (clock: Clock) => {
  ports: Pick<Ports, 'send' | 'stream'>
  /** Settles with the responses in flight; null when there are none. */
  underWay: () => Promise<unknown> | null
}

export async function createWorld(
  connect?: Connect,
  options: Pick<DatabaseOptions, 'chunkSizes' | 'indexedDB'> = {},
): Promise<World> {
  const { settle, restore } = installSettler()
  onTestFinished(restore)
  const timeline = createTimeline()
  const server = createServer(timeline)
  const engine = { indexedDB: new IDBFactory(), IDBKeyRange, snapshotStore: createSnapshotStore() }
  const database = openLocalDatabase('u1', { ...engine, ...options })
  const locks = createLocks(timeline)
  const listeners = new Map<string, Set<(message: BusMessage) => void>>()
  const line = connect?.(timeline) ?? {
    ports: { send: (request: HttpRequest) => server.send(request) },
    underWay: () => null,
  }
  let ids = 0

  async function tab(name: string, { isCutOff, ...options }: TabOptions = {}): Promise<Tab> {
    let alive = true
    const clock: Clock = {
      now: timeline.now,
      after: (ms, task) => timeline.after(ms, () => alive && task()),
    }
    const ports: Ports = {
      clock,
      random: () => 0,
      newId: () => `k${++ids}`,
      locks,
      bus: busOf(name, listeners),
      sendLast: (request) => void line.ports.send(request).catch(() => {}),
      ...line.ports,
      ...(isCutOff && { isCutOff }),
    }
    const client = createSyncClient(ports, {
      userId: 'u1',
      tabId: name,
      database,
      prune: pruneRevisions,
      loadPresence: async () => openPresence,
      ...options,
    })
    await client.start()
    for (let round = 0; round < 3; round += 1) await settleAll()
    return {
      name,
      client,
      async edit(articleId) {
        const text = await client.open(articleId)
        if (!text) throw new Error(`No copy of ${articleId}`)
        const editor = createEditor(text)
        text.attach(editor)
        await settle()
        return { editor, text }
      },
      kill() {
        alive = false
        listeners.delete(name)
        locks.release(name)
      },
    }
  }

  async function settleAll(): Promise<void> {
    await settle()
    for (let answers = line.underWay(); answers !== null; answers = line.underWay()) {
      await answers
      await settle()
    }
  }

  const pass = (ms: number) => timeline.pass(ms, settleAll)
  return {
    clock: timeline,
    server,
    database,
    pass,
    sleep: timeline.sleep,
    settle: settleAll,
    tab,
    locks,
  }
}

/** A world whose article a1, with the text 'one', is open in the editor of one tab. */
export async function createOpenArticle(): Promise<
  { world: World; tab: Tab } & Awaited<ReturnType<Tab['edit']>>
> {
  const world = await createWorld()
  world.server.add('a1', doc('one'))
  const tab = await world.tab('tab')
  return { world, tab, ...(await tab.edit('a1')) }
}

/** The device is offline, some words of a1 are typed in the tab, then `change` happens on the server. */
export async function typedOffline(world: World, tab: Tab, change: () => void) {
  const opened = await tab.edit('a1')
  world.server.offline = true
  opened.editor.type(' two')
  await world.pass(5_000)
  change()
  world.server.offline = false
  tab.client.wake()
  await world.pass(5_000)
  world.server.patches()
  return opened
}

function createTimeline() {
  let now = 0
  let order = 0
  const timers = new Map<number, { at: number; task: () => void }>()
  return {
    now: () => now,
    after(ms: number, task: () => void): () => void {
      const id = ++order
      timers.set(id, { at: now + ms, task })
      return () => timers.delete(id)
    },
    async pass(ms: number, settled: () => Promise<void>): Promise<void> {
      const end = now + ms
      await settled()
      for (;;) {
        const next = [...timers].sort(([a, x], [b, y]) => x.at - y.at || a - b)[0]
        if (!next || next[1].at > end) break
        timers.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].task()
        await settled()
      }
      now = end
    },
    sleep(ms: number): void {
      now += ms
      for (const timer of timers.values()) timer.at += ms
    },
  }
}

type Listeners = Map<string, Set<(message: BusMessage) => void>>

function busOf(name: string, listeners: Listeners): Bus {
  const own = new Set<(message: BusMessage) => void>()
  listeners.set(name, own)
  return {
    post(message) {
      for (const [other, receivers] of listeners) {
        if (other !== name) for (const receive of receivers) receive(message)
      }
    },
    listen(receive) {
      own.add(receive)
      return () => own.delete(receive)
    },
  }
}

export type FakeLocks = Locks & {
  /** Releases the lock from its holder. */
  release(name: string): void
  /** An unresponsive holder takes the lock. */
  freeze(name: string): void
}

function createLocks(clock: Clock): FakeLocks {
  const blocked = new Map<string, symbol>()
  const waiting = new Map<string, (() => void)[]>()
  const free = (name: string, holder: symbol) => {
    if (blocked.get(name) !== holder) return
    blocked.delete(name)
    waiting.get(name)?.shift()?.()
  }
  return {
    async hold(name, task, { waitMs, steal } = {}) {
      const holder = Symbol(name)
      if (steal) blocked.delete(name)
      while (blocked.has(name)) {
        await new Promise<void>((go, stop) => {
          waiting.set(name, [...(waiting.get(name) ?? []), go])
          if (waitMs !== undefined) clock.after(waitMs, () => stop(new LockNotGranted()))
        })
      }
      blocked.set(name, holder)
      try {
        return await task()
      } finally {
        free(name, holder)
      }
    },
    release() {
      blocked.clear()
      for (const queue of waiting.values()) queue.shift()?.()
    },
    freeze(name) {
      blocked.set(name, Symbol(name))
    },
  }
}

export type FakeEditor = EditorPort & {
  /** The user types at the end of a paragraph (the last one by default). */
  type(text: string, paragraph?: number): void
  composing: boolean
  readonly words: string
  /** How often another text was shown. */
  shown: number
}

export function createSnapshotStore(): SnapshotStore {
  const rows = new Map<string, string>()
  return {
    get length() {
      return rows.size
    },
    key: (index) => [...rows.keys()][index] ?? null,
    getItem: (key) => rows.get(key) ?? null,
    setItem: (key, value) => void rows.set(key, value),
    removeItem: (key) => void rows.delete(key),
  }
}

export function createEditor(text: OpenText): FakeEditor {
  let document = text.document
  let run = { paragraph: -1, words: '' }
  return {
    composing: false,
    shown: 0,
    read: () => document,
    show(next) {
      document = next
      this.shown += 1
    },
    typedRun: () => run.words,
    isComposing() {
      return this.composing
    },
    type(typed, paragraph) {
      const paragraphs = plainText(document).split('\n')
      const at = paragraph ?? paragraphs.length - 1
      paragraphs[at] = `${paragraphs[at] ?? ''}${typed}`
      document = doc(...paragraphs)
      run = { paragraph: at, words: `${at === run.paragraph ? run.words : ''}${typed}` }
      text.edited()
    },
    get words() {
      return plainText(document)
    },
  }
}

export const doc = (...paragraphs: string[]): ArticleDocument => ({
  type: 'doc',
  content: paragraphs.map((text) =>
    text === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text }] },
  ),
})
