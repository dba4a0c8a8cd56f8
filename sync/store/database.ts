import { Dexie, type EntityTable, type Table } from 'dexie'
import type { ArticleText } from '../../domain/text/document.ts'
import type { Author, Keyword, Planned, Revision } from '../../domain/wire/articles.ts'
import type { HandIn } from '../../domain/wire/hand-ins.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import type { Plan } from '../../domain/wire/plans.ts'
import type { BlockedReason } from '../protocol/push-result.ts'
import {
  askForListing,
  keepKeysOnly,
  moveExitSnapshots,
  putLinksBack,
  recountWords,
  renameBaseVersion,
  renameUndelivered,
  separateTexts,
} from './database-upgrades.ts'
import { CHUNK_SIZES, type ChunkSizes, type DraftChunk, type DraftTextRow } from './draft-chunks.ts'
import type { SnapshotStore } from './exit-snapshots.ts'
import { notedIn, type OpenTransactions } from './open-transactions.ts'
import { createUnsavedTexts } from './unsaved.ts'
import { takingWriteLock, WRITE_LOCK } from './write-lock.ts'

/** A closing page must still be able to write: Dexie would close first when it may enter the back-forward cache. */
Dexie.disableBfCache = true
/** On localhost Dexie would create a console task for each call, and behave differently than elsewhere. */
Dexie.debug = false

/** The light copy of an article as the server last described it. */
export type ArticleRow = {
  id: string
  name: string
  client: { id: string; name: string; deleted: boolean } | null
  clientId: string | null
  wordMinimum: number
  keywordList: Keyword[]
  completed: 0 | 1
  /** The author, where that account still exists, and when (ISO time); missing in rows of an earlier release. */
  completion?: Completion | null
  /** ISO time of the server. */
  updatedAt: string
  version: number
  textVersion: number
  /** `suspect` after an absence from the listing; `revoked` and `deleted` once the server confirmed them. */
  access: 'ok' | 'suspect' | 'revoked' | 'deleted'
  /** 1 when the last listing had it; an article opened by direct link alone never was in one. */
  listed: 0 | 1
  /** When the listing first missed it, in milliseconds since 1970; null while it is there. */
  missingSince: number | null
  /** When this computer last read it from the server, in milliseconds since 1970. */
  seenAt: number
  /** How often it was completed, and how many notes it has; missing without any. */
  handIns?: number | undefined
  notes?: number | undefined
  /** What the server says of its plan; missing where there never was one. */
  plan?: Planned | undefined
}

export type Completion = { by: string | null; at: string }

/** The last text known from the server. Moves only forward. */
export type DocRow = {
  articleId: string
  textVersion: number
  json?: string
  /** Instead of `json` in rows of an earlier release. */
  doc?: ArticleText
  hash: string
  words: number
  /** The author, when it was another user or is not known; missing in rows of an earlier release. */
  by?: Author | null
  /** Name of its revision; missing where the server named none. */
  revision?: string | undefined
}

/** State of the text on this computer. Exists from the first time the article was opened here; sync/store/draft-rows.ts. */
export type DraftRow = {
  articleId: string
  /** Hash of the draft's text. */
  hash: string
  words: number
  /** Counts the writes of this row; a tab that last saw another number must merge before writing. */
  localRev: number
  /** Hash of the server's text that this one grew from. */
  baseHash: string
  baseVersion: number
  /** Name of its revision; missing where the server named none. */
  baseRevision?: string | undefined
  /** The localRev that the server acknowledged last. */
  ackedRev: number
  /** When the user last changed the text, in milliseconds since 1970. */
  editedAt: number
  /** 1 while the text has changes that were not sent or not accepted. */
  dirty: 0 | 1
  /** When the server last accepted text from this device; null when never. */
  lastSentAt: number | null
  /** Words of lines of the text that the user typed in one go each, the latest last. */
  typedRuns?: readonly string[]
  /** The chunks of its text, in order; missing while the text is short and stored in one row. */
  pieces?: DraftChunk[]
}

/** What all changes on their way to the server have; sync/store/queue.ts has the rules. */
type OutboxEntry = {
  seq: number
  articleId: string
  state: 'pending' | 'inflight' | 'blocked'
  /** Idempotency key. One key is never sent with two bodies. */
  key: string
  /** Exponent of the backoff. */
  attempts: number
  /** When it is due, in milliseconds since 1970; Infinity while blocked. */
  dueAt: number
  /** 1 during the autosave delay: checked when due, and delayed further while typing continues. */
  debounced?: 0 | 1
  /** When the oldest change in it was made: bounds how long typing may postpone it. */
  firstEditAt: number
  /** Time before which the server accepts no retry; null when it named none. */
  notBefore: number | null
  /** Set at the first failed attempt, cleared by re-arming: what the save-failed banner is derived from. */
  failedAt: number | null
  lastError: string | null
  /** 1 when `lastError` is from a response; missing before the first failure. */
  isAnswered?: 0 | 1
  /** The last attempt got no response, so any response from the server triggers a retry. */
  unreachable: 0 | 1
  /** Merges since the last accepted save, after a 412 or without one. */
  conflicts: number
  /** A new key was tried after the server knew the old one for another body. */
  rekeyed: 0 | 1
  blockedReason: BlockedReason | null
}

/** The text of the draft, as it is when it is sent. */
export type TextEntry = OutboxEntry & {
  kind: 'text'
  /**
   * Hash of the text that was sent under the key; null until then. While it is in flight the draft may move on: that is
   * the text of the pending entry behind it.
   */
  sentHash: string | null
  body: null
  completed: null
  /** A closed page may have sent just this text under this key. */
  maybeSent?: true
  /**
   * Keys under which earlier texts of the article were sent from here without a response, the oldest first. The
   * response to the next save names those that arrived.
   */
  unconfirmed?: string[]
  /** Hash of the earlier text that was restored last; missing without a restore. */
  restored?: string
}

/** A completion, or a reopening where `completed` is false. */
export type CompletionEntry = OutboxEntry & {
  kind: 'control'
  completed: boolean
  sentHash: null
  body: null
}

/** Blocked text that goes to the agency instead, as it was queued; sync/push/blocked-actions.ts. */
export type UndeliveredEntry = OutboxEntry & {
  kind: 'undelivered'
  /** The request body, and the hash of its text. */
  body: string
  sentHash: string
  completed: null
}

/**
 * A note about the article, or a change of one. A refused one stays blocked until its cause is removed or its author
 * discards it.
 */
export type NoteEntry = OutboxEntry & {
  kind: 'note'
  /** The request body. */
  body: string
  /** The name of the note that it changes; missing for a new one. */
  changes?: string
  sentHash: null
  completed: null
}

export type OutboxRow = TextEntry | CompletionEntry | UndeliveredEntry | NoteEntry

/** `other-history`: the server's, before it was restored from a backup. */
export type LocalRevReason =
  | 'checkpoint'
  | 'pre-merge-mine'
  | 'pre-merge-theirs'
  | 'other-history'
  | 'blocked'
  | 'orphan'
  | 'exit-snapshot'

/** An earlier text kept on this computer. */
export type LocalRevRow = {
  id: number
  articleId: string
  at: number
  reason: LocalRevReason
  doc: ArticleText
  /** Version of the server's text that it grew from; in rows of database version 7 it is `baseTv`. */
  baseVersion?: number
  baseTv?: number
  words: number
  /** Missing in rows that an earlier release wrote, like `size`. */
  hash?: string
  /** Characters of the document as JSON, which count against the budget. */
  size?: number
  /** The text is the server's version `baseVersion` itself. */
  isBase?: boolean
}

/** A text that the article had on the server, as the last listing described it. Rows of older versions have no `handIn`. */
export type ServerRevRow = Omit<Revision, 'handIn'> & {
  handIn?: number | null
  articleId: string
  /** Null until the version was viewed here. */
  text: { doc: ArticleText; hash: string } | null
}

/** The receipts and notes of an article, as the server last returned them. */
export type RecordRow = {
  articleId: string
  /** The newest first. */
  handIns: HandIn[]
  /** How many there are in all; null when they are of an earlier epoch. */
  total: number | null
  /** Hand-ins of an earlier epoch with a receipt that the server, restored from a backup, no longer has. */
  lost: HandIn[]
  /** The oldest first. */
  notes: ArticleNote[]
}

/** The plan of an article, as the server last returned it. */
export type PlanRow = Omit<Plan, 'counter'> & {
  articleId: string
  /** Null when it is of an earlier epoch. */
  counter: number | null
  read: PlanRead
}

/** Whether it was read on this computer; `earlier`: another one was, and this one was not. */
export type PlanRead = 'never' | 'current' | 'earlier'

/** The entities of an article when its writer last took note of them. */
export type SeenEntitiesRow = { articleId: string; entities: SeenEntity[] }
export type SeenEntity = Pick<Keyword, 'keyword' | 'category'>

/** Written by the raw write of a page that is being closed, restored into the draft at the next start. */
export type ExitSnapshotRow = {
  articleId: string
  tabId: string
  doc: ArticleText
  /** What the tab last saw of the draft: the base of the merge. */
  base: ArticleText
  seenRev: number
  /** The write of the draft that was running: if it was committed, these words grew from it. */
  underWay?: { rev: number; hash: string }
  /** The server's text that the draft grew from, where `base` is another. */
  serverText?: ArticleText
  /** The server's version that the draft grew from, where a direct save reached it and the row does not have it yet. */
  savedDirectly?: { baseVersion: number; baseRevision?: string | undefined }
  at: number
  /** 1 where the page knew links; missing in rows of an earlier release. */
  knowsLinks?: 1
  /** The key that the page sent this very text under when it was closed; missing in rows of older versions. */
  key?: string
  epoch?: string | null
  /** Earlier texts of this page that were sent and that no row has. */
  unconfirmed?: SentKey[]
  /** As of a draft. */
  typedRuns?: readonly string[]
}

/** A text that was sent without a response: its key and its hash. */
export type SentKey = { key: string; hash: string }

export type MetaRow = { key: MetaKey; value: unknown }

/**
 * - `connection`: 'online', 'offline' or 'refused'.
 * - `lastCheckedAt`: when this device last had every change.
 * - `serverEpoch`: the history of the data that all versions here are from.
 * - `listTag`, `changeSeq`: ETag of the last listing and how many changes it knew of.
 * - `lastFailure`: the latest failed attempt to send a change (sync/status/failure.ts).
 * - `signInNeeded`, `updateNeeded`: true while the server requires a sign-in or a newer page.
 * - `memory:<article>`: when a tab last failed to write its text here.
 * - `elsewhere:<article>`: sync/editing/remote-changes.ts.
 * - `undelivered:<article>`: when the agency received the blocked text.
 * - `typed-note:<article>:<kind>`: a note or a brief that is being written.
 * - `folded-notice:<article>`: the hand-in whose reopening is folded to one line.
 * - `seen-notes:<article>`: sync/store/seen-notes.ts.
 * - `writing-record:<article>:<time of the hand-in>`: how its text was written, where the user adds that to the receipt.
 */
export type MetaKey =
  | 'connection'
  | 'lastCheckedAt'
  | 'serverEpoch'
  | 'listTag'
  | 'changeSeq'
  | 'lastFailure'
  | 'signInNeeded'
  | 'updateNeeded'
  | `memory:${string}`
  | `elsewhere:${string}`
  | `undelivered:${string}`
  | `typed-note:${string}`
  | `folded-notice:${string}`
  | `seen-notes:${string}`
  | `writing-record:${string}`

/** One per user, so that two users of one device never see each other's texts. */
export class LocalDatabase extends Dexie {
  declare readonly articles: EntityTable<ArticleRow, 'id'>
  declare readonly docs: EntityTable<DocRow, 'articleId'>
  declare readonly drafts: EntityTable<DraftRow, 'articleId'>
  declare readonly texts: Table<DraftTextRow, [string, DraftTextRow['role']]>
  declare readonly outbox: EntityTable<OutboxRow, 'seq'>
  declare readonly localRevs: EntityTable<LocalRevRow, 'id'>
  declare readonly serverRevs: Table<ServerRevRow, [string, number]>
  declare readonly exitSnapshots: Table<ExitSnapshotRow, [string, string]>
  declare readonly meta: EntityTable<MetaRow, 'key'>
  declare readonly records: EntityTable<RecordRow, 'articleId'>
  declare readonly seenEntities: EntityTable<SeenEntitiesRow, 'articleId'>
  declare readonly plans: EntityTable<PlanRow, 'articleId'>
  readonly transactions: OpenTransactions = new Set()
  /** Words of this tab that no row has. */
  readonly unsaved = createUnsavedTexts()
  /** The disk was full: texts that are only cached for offline use are not fetched again. */
  isShortOfRoom = false
  /** Articles with exit snapshots that could not be restored because the disk is full. */
  readonly withoutRoom = new Set<string>()
  /** Counts the steps of an upgrade: while it grows, a database that does not respond is upgrading. */
  upgradeSteps = 0
  /** A newer program has changed this database: this one must not write to it. */
  isOutdated = false
  /** Null where there is none. */
  readonly snapshotStore: SnapshotStore | null
  readonly chunkSizes: ChunkSizes

  constructor(name: string, { snapshotStore, chunkSizes, ...options }: DatabaseOptions) {
    super(name, { chromeTransactionDurability: 'strict', cache: 'disabled', ...options })
    this.snapshotStore = snapshotStore ?? null
    this.chunkSizes = chunkSizes ?? CHUNK_SIZES
    this.version(1).stores({
      articles: 'id, clientId, completed, updatedAt, listed',
      docs: 'articleId',
      drafts: 'articleId, dirty',
      outbox: '++seq, [articleId+seq], state, nextAt',
      localRevs: '++id, [articleId+at], reason',
      rescue: '[articleId+tabId]',
      meta: 'key',
    })
    this.version(2).stores({
      localRevs: '++id, [articleId+at], reason, size',
      serverRevs: '[articleId+textVersion]',
    })
    // Lists read the outbox from index keys alone: sync/status/outbox-counts.ts.
    this.version(3).stores({
      drafts: 'articleId, dirty, [dirty+articleId+editedAt+words]',
      outbox: '++seq, [articleId+seq], state, nextAt, kind, failedAt',
    })
    this.version(4)
      .stores({ texts: '[articleId+role]' })
      .upgrade((transaction) => separateTexts(transaction, this.#step))
    this.version(5).stores({ [WRITE_LOCK]: '' })
    // Long texts may be stored in chunks. Lists read drafts as rows: an index on what each save changes would cost
    // more.
    this.version(6).stores({ drafts: 'articleId, dirty' })
    // In version 6 a draft equal to the server's text has no base of its own, and server docs have no tree.
    this.version(7)
    this.version(8)
      .stores({
        outbox: '++seq, [articleId+seq], state, dueAt, kind, failedAt',
        exitSnapshots: '[articleId+tabId]',
      })
      .upgrade(async (transaction) => {
        await keepKeysOnly(transaction, this.#step)
        await renameBaseVersion(transaction, this.#step)
        await moveExitSnapshots(transaction)
      })
    this.version(9).stores({ rescue: null })
    this.version(10).upgrade((transaction) => renameUndelivered(transaction, this.#step))
    this.version(11).stores({ records: 'articleId', seenEntities: 'articleId' })
    this.version(12)
      .stores({ plans: 'articleId' })
      .upgrade((transaction) => askForListing(transaction))
    this.version(13).upgrade((transaction) => putLinksBack(transaction, this.#step))
    this.version(14).upgrade((transaction) => recountWords(transaction, this.#step))
    this.use({ stack: 'dbcore', name: 'Open', create: notedIn(this.transactions) })
    this.use({ stack: 'dbcore', name: 'Turns', create: takingWriteLock })
    const known = this.verno * NATIVE_PER_VERSION
    this.on('ready', () => this.#refuseNewer(known), true)
  }

  readonly #step = () => {
    this.upgradeSteps += 1
  }

  /** At every opening, before anything can be read or written. Dexie would continue without an error. */
  #refuseNewer(known: number): void {
    if (this.backendDB().version <= known) return
    this.isOutdated = true
    throw new Error('The local database is of a newer version')
  }
}

/** Dexie keeps tenths of versions. */
const NATIVE_PER_VERSION = 10

/** The IndexedDB implementation under Dexie; the browser's own by default. */
export type DatabaseOptions = {
  indexedDB?: EngineFactory
  IDBKeyRange?: NonNullable<DexieOptions['IDBKeyRange']>
  snapshotStore?: SnapshotStore
  chunkSizes?: ChunkSizes
}

type DexieOptions = NonNullable<ConstructorParameters<typeof Dexie>[1]>
type EngineFactory = NonNullable<DexieOptions['indexedDB']>

export const localDatabaseName = (userId: string): string => `contun-${userId}`

/** The database of one user. It opens at the first use. */
export function openLocalDatabase(userId: string, options: DatabaseOptions = {}): LocalDatabase {
  return new LocalDatabase(localDatabaseName(userId), options)
}

/** Those that are there, by their key. */
export const rowsById = <Id, Row>(
  table: { bulkGet(ids: Id[]): PromiseLike<(Row | undefined)[]> },
  ids: Id[],
): PromiseLike<Map<Id, Row>> =>
  table
    .bulkGet(ids)
    .then((rows) => new Map(ids.flatMap((id, at) => (rows[at] ? [[id, rows[at]] as const] : []))))
