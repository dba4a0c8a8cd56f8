import type { Table, Transaction } from 'dexie'
import { documentHash } from '../../domain/canonical.ts'
import type { ArticleText } from '../../domain/document.ts'
import { documentJson } from '../../domain/document-json.ts'

/** What rows of an earlier release need besides new tables and keys. Of a version that nobody has any more, nothing stays. */

type OldDraft = {
  articleId: string
  doc?: ArticleText
  baseDoc?: ArticleText
  hash?: string
  baseHash?: string
}
type Hashed = { doc?: ArticleText; hash?: string }
type OldEntry = { frozen?: string | null; frozenHash?: string | null; restored?: string }

/** Version 4: the texts of drafts stand beside them, and hashes are those of blocks. `step` hears of every row. */
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
