import { Dexie, RangeSet } from 'dexie'
import type { DraftRow, LocalDatabase, OutboxRow } from '../store/database.ts'
import { TURNS } from '../store/database-turns.ts'
import { hasOwnBase } from '../store/draft-rows.ts'
import { epochIn } from '../store/epoch.ts'
import { noted } from '../store/open-transactions.ts'
import { doesForTyping } from '../store/queue.ts'
import type { RawDatabase, RawTransaction } from '../store/raw-database.ts'
import { changeText } from '../store/text-pieces.ts'
import type { DraftWrite, Written } from './drafts.ts'

/**
 * The save that is made most: somebody types on in a text that waits in the queue already. Nothing but the draft's row
 * and its text is written then, by the rule of `writeDraft` and in one transaction like there, but by the browser's
 * own requests, which take the page half the time of the library's. Answers null, and leaves everything as it is, for
 * any other save.
 */
export async function saveTyped(
  database: LocalDatabase,
  write: DraftWrite,
): Promise<Written | null> {
  const isOther = write.baseIsNewer || write.maybeSent || write.sent || !write.unusedIdem
  if (isOther || !database.isOpen()) return null
  const transaction = begun(database)
  if (!transaction) return null
  const written = await new Promise<Written | null>((resolve, reject) => {
    const { articleId } = write
    const ofArticle = database.keyRange.bound([articleId, Dexie.minKey], [articleId, Dexie.maxKey])
    const row = transaction.objectStore('drafts').get(articleId)
    const epoch = transaction.objectStore('meta').get('serverEpoch')
    const queued = transaction.objectStore('outbox').index('[articleId+seq]').getAll(ofArticle)
    let outcome: Written | null = null
    let fault: unknown = null
    queued.onsuccess = () => {
      try {
        if (write.isGivenUp?.()) throw new Error('Given up')
        if (epochIn(epoch.result) === write.epoch)
          outcome = putTyped(database, transaction, write, row.result, queued.result)
      } catch (thrown) {
        fault = thrown
        transaction.abort()
      }
    }
    transaction.oncomplete = () => resolve(outcome)
    transaction.onabort = () => reject(fault ?? transaction.error ?? new Dexie.AbortError())
  })
  // What the library would tell of the row, which stays where it is in each of its indexes.
  const changed = { [`idb://${database.name}/drafts/`]: new RangeSet(write.articleId) }
  if (written) Dexie.on.storagemutated.fire(changed)
  return written
}

/** Null on a handle that is closed, or that is being opened: the library knows what to do about it. */
function begun(database: LocalDatabase): RawTransaction | null {
  try {
    const raw: RawDatabase = database.backendDB()
    return noted(
      database.transactions,
      raw.transaction(TABLES, 'readwrite', { durability: 'strict' }),
    )
  } catch {
    return null
  }
}

const TABLES = ['drafts', 'texts', 'outbox', 'meta', TURNS]

function putTyped(
  { pieceSizes }: LocalDatabase,
  transaction: RawTransaction,
  { articleId, mine, seenRev, base, unusedIdem: idem, editedAt }: DraftWrite,
  row: DraftRow | undefined,
  queued: OutboxRow[],
): Written | null {
  const isAsSeen = row?.localRev === seenRev && row.baseHash === base.baseHash
  if (!isAsSeen || !hasOwnBase(row)) return null
  const { hash, words, doc } = mine
  if (!idem || !doesForTyping(queued, { idem, hash, editedAt })) return null
  const { pieces, put, drop } = changeText(articleId, doc, row.pieces, pieceSizes)
  const { pieces: _, ...rest } = row
  const next = { ...rest, hash, words, localRev: row.localRev + 1, editedAt, dirty: 1 as const }
  const texts = transaction.objectStore('texts')
  for (const text of put) texts.put(text)
  for (const key of drop) texts.delete(key)
  // Not committed here: a page that ends before this write is confirmed includes it in its exit snapshot (sync/editing/rescue.ts).
  transaction.objectStore('drafts').put({ ...next, ...(pieces && { pieces }) })
  const draft = { ...next, doc, baseDoc: base.baseDoc }
  return { draft, idem, merged: false, anew: false, isMoved: false }
}
