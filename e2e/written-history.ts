import { countWords } from '../domain/text/article-text.ts'
import { canonicalJson } from '../domain/text/canonical.ts'
import type { ArticleDocument } from '../domain/text/document.ts'
import { type Agency, WRITER } from './agency.ts'
import { stored } from './writer.ts'

/** A version of an article's text; `text` has a paragraph in each line, and `author` is an e-mail address. */
export type WrittenVersion = { at: string; text: string; author: string; reason?: string }

const PROSE =
  'Most gardens are lit too brightly. The lamp by the gate dazzles, the ground beyond it falls away into black, and the eye spends the rest of the walk recovering.'

/** Returns prose of `words` words. */
export const prose = (words: number): string => {
  const all = PROSE.split(' ')
  return Array.from({ length: words }, (_, index) => all[index % all.length]).join(' ')
}

const MINUTE = 60_000

/** Returns `count` versions by one author, in sittings of 20. */
export function longHistory(count: number): WrittenVersion[] {
  const begin = Date.parse('2026-01-05T08:00:00Z')
  return Array.from({ length: count }, (_, index) => ({
    at: new Date(begin + index * 11 * MINUTE + Math.floor(index / 20) * 300 * MINUTE).toISOString(),
    text: prose(200 + (index % 100)),
    author: WRITER.email,
  }))
}

/** Gives an article these versions, oldest first, in place of all that it had. The last one is its current text. */
export function writeHistory(agency: Agency, name: string, versions: readonly WrittenVersion[]) {
  const { id } = stored(agency, name)
  const rows = versions.map(({ at, text, author, reason = 'autosave' }, index) => ({
    at,
    author,
    number: index + 1,
    words: countWords(text),
    reason: index === 0 ? 'created' : reason,
    document: canonicalJson(documentOf(text)),
  }))
  agency.change('delete from article_revisions where article_id = ?', id)
  agency.change(
    `insert into article_revisions (article_id, text_version, base_text_version, words, author_id, reason, created_at, article_text)
     select ?, value->>'number', nullif(value->>'number' - 1, 0), value->>'words', users.id, value->>'reason', value->>'at', value->>'document'
     from json_each(?) left join users on users.email = value->>'author'`,
    id,
    JSON.stringify(rows),
  )
  agency.change(
    `update articles set (text_version, words, article_text) = (select text_version, words, article_text from article_revisions
     where article_id = articles.id order by text_version desc limit 1), version = version + 1 where id = ?`,
    id,
  )
}

const documentOf = (text: string): ArticleDocument => ({
  type: 'doc',
  content: text.split('\n').map((line) => ({
    type: 'paragraph',
    ...(line !== '' && { content: [{ type: 'text', text: line }] }),
  })),
})
