import { Dexie, RangeSet } from 'dexie'
import type { ArticleDocument, ArticleText } from '../domain/document.ts'
import { retryDelay } from './backoff.ts'
import type { LocalDatabase, MetaKey } from './database.ts'
import { type Base, measure } from './drafts.ts'
import { merge3 } from './merge/merge3.ts'
import type { Ports } from './ports.ts'
import { readVerdict } from './reaction.ts'

/**
 * Sends the text of an editor straight from memory while this computer cannot write it: full disk, broken
 * database. The server is then the only safe place, so nothing waits for a pause in typing.
 */
export type MemoryPush = {
  start(): void
  /** The text is on this computer again. */
  stop(): void
  isOn(): boolean
  /** Milliseconds until the local write should be tried again. */
  retryMs(): number
}

export type MemoryPushOptions = {
  database: LocalDatabase
  articleId: string
  /** What the editor shows and what it grew from; null without an editor. */
  current: () => { doc: ArticleDocument; base: Base } | null
  /** Shows a merge; false when it must wait. */
  show: (document: ArticleText) => boolean
  /** The server has a text of this editor: what it shows from now on grows from that. */
  taken: (base: Base) => void
}

const LOCAL_RETRY_CAP_MS = 10_000
const SEND_TIMEOUT_MS = 20_000

export function createMemoryPush(ports: Ports, options: MemoryPushOptions): MemoryPush {
  const { clock, random, newId, send } = ports
  const { database, articleId } = options
  let on = false
  let failures = 0
  let attempts = 0
  let sending = false
  let cancel: (() => void) | null = null
  /** Fixed bytes under a fixed key until there is a definite answer. */
  let frozen: { idem: string; doc: ArticleDocument; base: Base } | null = null

  async function push(): Promise<void> {
    const current = options.current()
    if (!on || sending || !current) return
    sending = true
    if (!frozen && measure(current.doc).hash !== current.base.baseHash) {
      frozen = { idem: newId(), doc: current.doc, base: current.base }
    }
    const isFinal = frozen ? await exchange(frozen) : true
    sending = false
    attempts = isFinal ? 0 : attempts + 1
    cancel?.()
    cancel = clock.after(isFinal ? 1_000 : retryDelay(attempts, random), () => void push())
  }

  /** False when the outcome is unknown or the time has not come. */
  async function exchange(sent: {
    idem: string
    doc: ArticleDocument
    base: Base
  }): Promise<boolean> {
    const answer = await send({
      method: 'PATCH',
      path: `/articles/${articleId}`,
      body: JSON.stringify({ articleText: sent.doc }),
      headers: { 'Idempotency-Key': sent.idem, 'If-Match': `"v0.t${sent.base.baseTv}"` },
      timeoutMs: SEND_TIMEOUT_MS,
    }).catch(() => null)
    const verdict = answer && readVerdict(answer, articleId, clock.now())
    if (verdict?.kind === 'acknowledged') {
      const { doc, hash } = measure(sent.doc)
      options.taken({ baseDoc: doc, baseHash: hash, baseTv: verdict.article.textVersion })
      frozen = null
      return true
    }
    if (verdict?.kind === 'stale') return merge(sent, verdict.current)
    if (verdict?.kind === 'rekey') frozen = { ...sent, idem: newId() }
    return false
  }

  function merge(
    sent: { base: Base },
    current: { articleText: ArticleText; textVersion: number },
  ): boolean {
    const mine = options.current()
    if (!mine) return false
    const { doc, hash } = measure(current.articleText)
    if (!options.show(merge3(sent.base.baseDoc, mine.doc, doc).document)) return false
    options.taken({ baseDoc: doc, baseHash: hash, baseTv: current.textVersion })
    frozen = null
    return true
  }

  return {
    isOn: () => on,
    retryMs: () => Math.min(LOCAL_RETRY_CAP_MS, 1_000 * 2 ** failures),
    start() {
      failures += 1
      // Said at every failure: another tab that starts takes the notes of gone pages away, and this one too.
      note(database, articleId, true)
      if (on) return
      on = true
      void push()
    },
    stop() {
      failures = 0
      cancel?.()
      cancel = null
      if (!on) return
      on = false
      note(database, articleId, false)
    },
  }
}

/**
 * Other tabs and the next reload learn of it by a small row, if that can be written; the live queries of
 * this tab are told by hand, because a failed write tells nobody.
 */
function note(database: LocalDatabase, articleId: string, inMemory: boolean): void {
  const key = `memory:${articleId}` as const
  if (inMemory) database.memoryOnly.add(articleId)
  else database.memoryOnly.delete(articleId)
  void writeNote(database, key, inMemory).catch(() => {})
  const everyKey = new RangeSet(Dexie.minKey, Dexie.maxKey)
  Dexie.on.storagemutated.fire({ [`idb://${database.name}/meta/`]: everyKey })
}

async function writeNote(database: LocalDatabase, key: MetaKey, inMemory: boolean): Promise<void> {
  if (inMemory) await database.meta.put({ key, value: true })
  else await database.meta.delete(key)
}

/** Whether a tab has text of the article that could not be written here. */
export async function isInMemory(database: LocalDatabase, articleId: string): Promise<boolean> {
  return (
    database.memoryOnly.has(articleId) ||
    (await database.meta.get(`memory:${articleId}`)) !== undefined
  )
}

/** Text of pages that are gone is not in memory any more, whatever they could not take back. */
export async function forgetMemoryNotes(database: LocalDatabase): Promise<void> {
  await database.meta.where('key').startsWith('memory:').delete()
}
