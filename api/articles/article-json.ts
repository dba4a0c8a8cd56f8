import type { Author } from '../../domain/wire/articles.ts'
import type { StoredArticle } from './article-rows.ts'

/**
 * An article without its text, as JSON for a response. Columns that are stored as JSON pass through unparsed: keyword
 * list and text are most of a response, and parsing them only to serialize them again costs more than the query.
 */
export const articleJson = (article: StoredArticle, added: object = {}): string =>
  withKeywordList(articleSettingsJson(article, added), article.keyword_list)

/** The JSON of an article without text and keyword list, plus the defined fields of `added`. */
export const articleSettingsJson = (article: StoredArticle, added: object = {}): string =>
  JSON.stringify(Object.assign(plainFields(article), added))

/** `keywordList` is the stored JSON of the list. */
export const withKeywordList = (article: string, keywordList: string): string =>
  withField(article, 'keywordList', keywordList)

/** `text` is the stored JSON of the document. */
export const withArticleText = (article: string, text: string): string =>
  withField(article, 'articleText', text)

/** Adds the text of an earlier save to the current article. `text` is the stored JSON of the document. */
export const withArrivedText = (article: string, text: string): string =>
  withField(article, 'arrivedText', text)

/** Adds the fields of `given`, without undefined ones. */
export const withFields = (article: string, given: object): string =>
  Object.entries(given).reduce(
    (json, [name, value]) =>
      value === undefined ? json : withField(json, name, JSON.stringify(value)),
    article,
  )

/** Author of the text of a single article. Null when it has no single author or the account is gone. */
export function authorOf(article: StoredArticle): Author | null {
  const { text_updated_by: id, text_author_name: name } = article
  return id && name ? { id, name } : null
}

const withField = (object: string, name: string, json: string): string =>
  `${object.slice(0, -1)},"${name}":${json}}`

/** JSON omits undefined fields. */
function plainFields(article: StoredArticle) {
  return {
    id: article.id,
    _id: article.id,
    name: article.name,
    clientId: clientOf(article),
    wordMinimum: article.word_minimum,
    completed: article.completed === 1,
    createdAt: article.created_at,
    updatedAt: article.updated_at,
    version: article.version,
    textVersion: article.text_version,
    updatedBy: article.text_author_name === undefined ? undefined : authorOf(article),
    completion: article.completed_at === undefined ? undefined : completionOf(article),
    handIns: article.hand_ins || undefined,
    notes: article.notes || undefined,
    plan: planOf(article),
  }
}

/** Null while the article is not complete, and for completions before hand-ins were recorded. */
function completionOf({ completed_at: at, completed_by: id, completer_name: name }: StoredArticle) {
  return at ? { at, by: id && name ? { id, name } : null } : null
}

/** Undefined while the article was never planned. */
const planOf = ({ plan_counter: counter, plan_due_on: dueOn }: StoredArticle) =>
  counter ? { counter, dueOn } : undefined

/** Users are ids only, for every caller (Q92); a deleted client is marked (Q32). */
function clientOf(article: StoredArticle) {
  if (article.client_id === null) return null
  const users = article.client_users?.split(',') ?? []
  const deleted = article.client_deleted_at === null ? {} : { deleted: true }
  return { id: article.client_id, name: article.client_name, users, ...deleted }
}
