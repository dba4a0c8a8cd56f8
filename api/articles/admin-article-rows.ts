import { foldName } from '../../domain/folded-name.ts'
import type { ArticleSettings } from '../../domain/wire-articles.ts'
import type { Database } from '../deps.ts'
import { countChange } from '../events/change-rows.ts'
import { listedClientName } from './article-rows.ts'

/**
 * Writes what only the agency changes; the text and its version stay. A change of the client changes lists too: count it
 * once for the transaction.
 */
export async function updateSettings(
  db: Database,
  id: string,
  { name, clientId, wordMinimum, keywordList }: ArticleSettings,
  state: { version: number; updated_at: string },
): Promise<void> {
  await db
    .updateTable('articles')
    .set({
      ...state,
      ...(name !== undefined && { name, name_folded: foldName(name) }),
      ...(clientId !== undefined && {
        client_id: clientId,
        client_name_folded: listedClientName(clientId),
      }),
      ...(wordMinimum !== undefined && { word_minimum: wordMinimum }),
      ...(keywordList !== undefined && {
        keyword_list: JSON.stringify(keywordList),
        has_entities: keywordList.length > 0 ? 1 : 0,
      }),
    })
    .where('id', '=', id)
    .execute()
  await countChange(db, id)
}
