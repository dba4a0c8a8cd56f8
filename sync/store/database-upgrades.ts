import type { Table, Transaction } from 'dexie'
import { SUPERSEDED_MAX } from '../../domain/limits.ts'
import { wordCountOnce } from '../../domain/text/article-text.ts'
import { documentHash } from '../../domain/text/canonical.ts'
import { withLinksOf } from '../../domain/text/carried-links.ts'
import { DASHES } from '../../domain/text/characters.ts'
import type { ArticleText } from '../../domain/text/document.ts'
import { documentJson } from '../../domain/text/document-json.ts'
import type { DocRow, DraftRow } from './database.ts'
import { CHUNK_SIZES, type DraftTextRow } from './draft-chunks.ts'
import { findDraftJsons, isBaseOf, putOwnText } from './draft-rows.ts'
import type { In } from './transaction.ts'

/** Upgrades of rows of earlier releases beyond new tables and keys. Upgrades from unreleased versions are removed. */

type OldDraft = {
  articleId: string
  doc?: ArticleText
  baseDoc?: ArticleText
  hash?: string
  baseHash?: string
}
type Hashed = { doc?: ArticleText; hash?: string }
type OldEntry = { frozen?: string | null; frozenHash?: string | null; restored?: string }

/** Version 4: moves texts of drafts to their own table, and hashes by block. Calls `step` for every row. */
export async function separateTexts(transaction: Transaction, step: () => void): Promise<void> {
  const renewed = new Map<string | undefined, string>()
  const drafts: Table<OldDraft, string> = transaction.table('drafts')
  for (const articleId of await drafts.toCollection().primaryKeys()) {
    const { doc = {}, baseDoc = {}, ...row } = (await drafts.get(articleId)) ?? { articleId }
    const [hash, baseHash] = [documentHash(doc), documentHash(baseDoc)]
    renewed.set(row.hash, hash)
    await transaction.table('texts').bulkPut([
      { articleId, role: 'draft', json: documentJson(doc) },
      { articleId, role: 'base', json: documentJson(baseDoc) },
    ])
    await drafts.put({ ...row, hash, baseHash })
    step()
  }
  await renewHashes(transaction, renewed, step)
}

async function renewHashes(
  transaction: Transaction,
  renewed: Map<string | undefined, string>,
  step: () => void,
) {
  const rehash = (row: Hashed) => {
    step()
    if (row.doc !== undefined && row.hash !== undefined) row.hash = documentHash(row.doc)
  }
  for (const table of ['docs', 'localRevs'])
    await transaction.table<Hashed>(table).toCollection().modify(rehash)
  await transaction
    .table<{ text: Hashed | null }>('serverRevs')
    .toCollection()
    .modify(({ text }) => text && rehash(text))
  await transaction
    .table<OldEntry>('outbox')
    .toCollection()
    .modify((entry) => {
      const { articleText } = JSON.parse(entry.frozen ?? '{}') as { articleText?: ArticleText }
      if (articleText !== undefined) entry.frozenHash = documentHash(articleText)
      if (entry.restored !== undefined)
        entry.restored = renewed.get(entry.restored) ?? entry.restored
    })
  await transaction
    .table<{ value: Hashed }>('meta')
    .where('key')
    .startsWith('stray:')
    .modify(({ value }) => {
      value.hash = renewed.get(value.hash) ?? value.hash ?? ''
    })
}

type SentAsItWas = { idem: string; frozen?: string | null }
type EntryOf7 = SentAsItWas & {
  seq: number
  articleId: string
  kind: 'text' | 'control' | 'stray'
  state: string
  frozenHash?: string | null
  unanswered?: SentAsItWas[]
  nextAt: number
  since: number
  patient?: 0 | 1
  merges: number
  heldReason: string | null
}

/**
 * Version 8: keeps only the keys of texts that were sent. The draft has all of their words, and the server returns
 * which of the keys arrived. At most one such entry of an article stays, the last, with the keys of the others.
 */
export async function keepKeysOnly(transaction: Transaction, step: () => void): Promise<void> {
  const outbox = transaction.table('outbox')
  const drafts = transaction.table<{ articleId: string; hash: string }, string>('drafts')
  const entries: EntryOf7[] = await outbox.orderBy('seq').toArray()
  for (const entry of entries) {
    step()
    const { kind, seq, articleId, frozen = null, frozenHash = null } = entry
    const kept = { ...renamed(entry), sentHash: frozenHash, body: kind === 'stray' ? frozen : null }
    if (kind !== 'text') {
      await outbox.put(kept)
      continue
    }
    const texts = entries.filter((one) => one.kind === 'text' && one.articleId === articleId)
    if (entry !== texts.at(-1)) {
      await outbox.delete(seq)
      continue
    }
    const draft = await drafts.get(articleId)
    const isTypedOn = frozen !== null && draft?.hash !== frozenHash
    const sent = texts.flatMap(({ idem, unanswered = [] }) => [
      ...unanswered.map((one) => one.idem),
      idem,
    ])
    const unconfirmed = isTypedOn ? sent : sent.slice(0, -1)
    await outbox.put({
      ...kept,
      ...(unconfirmed.length > 0 && { unconfirmed: unconfirmed.slice(-SUPERSEDED_MAX) }),
      ...(isTypedOn && { key: `${entry.idem}-2`, state: 'pending', sentHash: null }),
    })
  }
}

function renamed(entry: EntryOf7): object {
  const { idem, nextAt, since, patient, merges, heldReason, state, ...rest } = entry
  for (const name of ['frozen', 'frozenRev', 'frozenHash', 'ifMatch', 'unanswered', 'takenAs'])
    Reflect.deleteProperty(rest, name)
  return {
    ...rest,
    key: idem,
    dueAt: nextAt,
    firstEditAt: since,
    ...(patient !== undefined && { debounced: patient }),
    conflicts: merges,
    blockedReason: heldReason,
    state: state === 'held' ? 'blocked' : state,
  }
}

/**
 * Version 8: renames the version of the text that a draft grew from, and the reasons of some revisions. Other revisions keep
 * their rows: all of them together may be larger than the room that a full disk has left for an upgrade.
 */
export async function renameBaseVersion(transaction: Transaction, step: () => void): Promise<void> {
  await transaction
    .table<{ baseTv?: number; baseVersion?: number }>('drafts')
    .toCollection()
    .modify((row) => {
      step()
      row.baseVersion = row.baseTv ?? 0
      delete row.baseTv
    })
  await transaction
    .table<{ reason: string }>('localRevs')
    .where('reason')
    .anyOf('held', 'rescue')
    .modify((row) => {
      step()
      row.reason = row.reason === 'held' ? 'blocked' : 'exit-snapshot'
    })
}

/** Version 8: exit snapshots have a table of that name. */
export async function moveExitSnapshots(transaction: Transaction): Promise<void> {
  const rows: SnapshotOf7[] = await transaction.table('rescue').toArray()
  await transaction.table('exitSnapshots').bulkPut(rows.map(asSnapshot))
}

/**
 * Version 10: renames queued undelivered texts and the notes of those that arrived. Keys and bodies stay: they may have
 * been sent.
 */
export async function renameUndelivered(transaction: Transaction, step: () => void): Promise<void> {
  await transaction
    .table<{ kind: string }>('outbox')
    .where('kind')
    .equals('stray')
    .modify({ kind: 'undelivered' })
  step()
  const meta = transaction.table<{ key: string; value: unknown }, string>('meta')
  const notes = await meta.where('key').startsWith('stray:').toArray()
  await meta.bulkPut(
    notes.map(({ key, value }) => ({ key: key.replace('stray', 'undelivered'), value })),
  )
  await meta.bulkDelete(notes.map(({ key }) => key))
}

/**
 * Version 12: forgets the tag of the last listing. Version 11 read what it says of plans, and stored the tag without it: an
 * unchanged listing would never be sent again.
 */
export async function askForListing(transaction: Transaction): Promise<void> {
  await transaction.table('meta').delete('listTag')
}

/**
 * Version 13: pages before it knew no links. A draft that was typed on there from a text with links has them again, so that
 * sending it removes none.
 */
export async function putLinksBack(transaction: Transaction, step: () => void): Promise<void> {
  const drafts: Table<DraftRow, string> = transaction.table('drafts')
  const texts: Table<DraftTextRow, [string, DraftTextRow['role']]> = transaction.table('texts')
  const tables = { drafts, texts, chunkSizes: CHUNK_SIZES } as In<'drafts' | 'texts'>
  for (const row of await drafts.where('dirty').equals(1).toArray()) {
    step()
    const [base, [json]] = await Promise.all([
      texts.get([row.articleId, 'base']),
      findDraftJsons(tables, [row]),
    ])
    if (!json || !isBaseOf(base, row) || !base.json.includes('"link"')) continue
    const typed: ArticleText = JSON.parse(json)
    const doc = withLinksOf(typed, JSON.parse(base.json))
    if (doc === typed) continue
    const changed = { ...row, hash: documentHash(doc), localRev: row.localRev + 1 }
    await putOwnText(tables, changed, doc, row)
  }
}

/** The exit snapshot of version 7, which has a whole earlier text that was sent. */
export type SnapshotOf7 = {
  idem?: string
  sent?: { idem: string; frozenHash: string }
  sentOn?: number
  sentRevision?: string
}

/** Leaves a row of this version as it is. */
export function asSnapshot<Row extends SnapshotOf7>({
  idem,
  sent,
  sentOn: _,
  sentRevision: __,
  ...rest
}: Row) {
  return {
    ...rest,
    ...(idem !== undefined && { key: idem }),
    ...(sent && { unconfirmed: [{ key: sent.idem, hash: sent.frozenHash }] }),
  }
}

/**
 * Version 14: em dashes and horizontal bars separate words (Q34). Recounts texts that contain one; revisions keep their
 * counts.
 */
export async function recountWords(transaction: Transaction, step: () => void): Promise<void> {
  const docs: Table<DocRow, string> = transaction.table('docs')
  const drafts: Table<DraftRow, string> = transaction.table('drafts')
  const texts: Table<DraftTextRow, [string, DraftTextRow['role']]> = transaction.table('texts')
  const tables = { drafts, texts, chunkSizes: CHUNK_SIZES } as In<'drafts' | 'texts'>
  for (const articleId of await docs.toCollection().primaryKeys()) {
    step()
    const json = (await docs.get(articleId))?.json ?? ''
    if (hasDash(json)) await docs.update(articleId, { words: wordCountOnce(JSON.parse(json)) })
  }
  for (const row of await drafts.toArray()) {
    step()
    const [json] = await findDraftJsons(tables, [row])
    if (!json || !hasDash(json)) continue
    await drafts.update(row.articleId, { words: wordCountOnce(JSON.parse(json)) })
  }
}

const hasDash = (json: string): boolean => [...DASHES].some((dash) => json.includes(dash))
