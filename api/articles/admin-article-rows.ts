import { foldName } from '../../domain/names/folded-name.ts'
import type { ArticleSettings } from '../../domain/wire/articles.ts'
import type { Database } from '../deps.ts'
import { listedClientName } from './article-rows.ts'

/** Writes what only the agency changes, into all of these articles; the text and its version stay. */
export async function updateSettings(
  db: Database,
  ids: readonly string[],
  { name, clientId, wordMinimum, keywordList }: ArticleSettings,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('articles')
    .set(({ eb, lit }) => ({
      version: eb('version', '+', lit(1)),
      updated_at: updatedAt,
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
    }))
    .where('id', 'in', ids)
    .execute()
}
