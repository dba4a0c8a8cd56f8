import type { ArticleText } from '../../domain/text/document.ts'
import type { Article, EarlierSave, StaleArticle } from '../../domain/wire/articles.ts'
import type { ErrorBody } from '../../domain/wire/errors.ts'
import type { ArticleNote } from '../../domain/wire/notes.ts'
import { readTag } from '../../domain/wire/state-tag.ts'
import type { HttpAnswer } from '../ports.ts'
import { isErrorBody, isRefusal, mayPass, retryAfterMs, saidBy } from './error-response.ts'

export type BlockedReason = 'completed' | 'revoked' | 'deleted' | 'too-large' | 'rejected'

/**
 * What a response to a PATCH means. The rule behind the table: only a response in the API's own shape is the server's
 * word. Everything else (a captive portal's page, a proxy's refusal, half a response) is a connection failure, after
 * which the request may or may not have been carried out. `epoch`: the history of the data that the response is from,
 * null when it named none.
 */
export type Verdict =
  /** It was accepted, now or at an earlier attempt. */
  | { kind: 'acknowledged'; article: ArticleAnswer; epoch: string | null }
  /** The agency has the blocked text or the note, which is then in the response. */
  | { kind: 'received'; note: ArticleNote | null }
  /** Unknown: retried, not before `waitMs`, with the same text under the same key. */
  | Retry
  | Stale
  | { kind: 'sign-in'; message: string }
  /** The server knows this key for another body. */
  | { kind: 'rekey'; message: string }
  /** This page is too old for the server. */
  | { kind: 'update'; message: string }
  /** Refused permanently; `confirm` when the article must be fetched first to confirm it. */
  | { kind: 'refused'; reason: BlockedReason; confirm: boolean; refusal: ServerRefusal }

/** `waitMs`: delay that the response requests before the next attempt; null without one. */
export type Fetched =
  | { kind: 'article'; article: Article }
  | { kind: 'refused'; status: number; message: string; waitMs: number | null }
  /** `message`: the text of a response that is not the server's, as of a proxy; null without a response. */
  | { kind: 'unreachable'; message: string | null; waitMs: number | null }

/** Another user or device changed the text in between. */
export type Stale = { kind: 'stale'; current: StaleArticle; epoch: string | null }

/** `isAnswer` when the server or a proxy refused; `message` is then its message. */
export type Retry = {
  kind: 'retry'
  unreachable: boolean
  isAnswer: boolean
  waitMs: number | null
  message: string
}

export type ServerRefusal = { status: number; message: string; reason: string | null }

/** Fields of every response about an article; the text may be missing. */
export type ArticleAnswer = Pick<
  Article,
  | 'id'
  | 'version'
  | 'textVersion'
  | 'completed'
  | 'completion'
  | 'updatedAt'
  | 'articleText'
  | 'revision'
  | 'replaced'
  | 'arrived'
  | 'handIns'
>

export function readVerdict(answer: HttpAnswer, articleId: string, now: number): Verdict {
  const { status, json } = answer
  const epoch = answer.header('server-epoch')
  if (status >= 200 && status < 300) {
    return isArticleAnswer(json) && json.id === articleId
      ? { kind: 'acknowledged', article: json, epoch }
      : noAnswer(`Answer ${status} without the article`)
  }
  if (mayPass(status)) {
    const message = saidBy(answer)
    const waitMs = retryAfterMs(answer, now)
    return { kind: 'retry', unreachable: !isErrorBody(json), isAnswer: true, waitMs, message }
  }
  if (isErrorBody(json)) return readRefusal(status, json, epoch)
  return isRefusal(answer)
    ? { ...noAnswer(saidBy(answer)), isAnswer: true }
    : noAnswer(`Answer ${status} of somebody else`)
}

export const noAnswer = (message: string): Retry => ({
  kind: 'retry',
  unreachable: true,
  isAnswer: false,
  waitMs: null,
  message,
})

/** The server asks for a later try. */
export const notNow = (message: string): Retry => ({
  ...noAnswer(message),
  unreachable: false,
  isAnswer: true,
})

/** A save as it was sent: its key, its condition, and the keys of earlier ones that it superseded. */
export type SentSave = { key: string; ifMatch: string | null; unconfirmed?: string[] | undefined }

/** The saves of this device that a response names, in the order in which the server applied them. */
export const ownSaves = (
  { key }: SentSave,
  { textVersion, revision, replaced, arrived = [] }: ArticleAnswer,
): EarlierSave[] =>
  [...arrived, { key, textVersion, revision, replaced }].sort(
    (a, b) => a.textVersion - b.textVersion,
  )

/**
 * Those of `saves` that replaced a text which their writer had not seen: their condition was lost on the way. The
 * server compares too, where the condition reaches it. An older text than the one named was merged already; a condition
 * that no text matches, as after a restored backup, has seen none.
 */
export function overwriting(
  { key, ifMatch, unconfirmed = [] }: SentSave,
  saves: readonly EarlierSave[],
): EarlierSave[] {
  if (ifMatch === null) return []
  const seen = readTag(ifMatch)
  const own = [key, ...unconfirmed]
  return saves.filter(({ replaced }) => {
    if (!replaced || replaced.textVersion < (seen.textVersion ?? 0)) return false
    const { revision } = replaced
    if (revision !== undefined && own.includes(revision)) return false
    const areNamed = seen.revision !== undefined && revision !== undefined
    return areNamed ? revision !== seen.revision : replaced.textVersion !== seen.textVersion
  })
}

/**
 * The text of this device that the server's text grew from, if it arrived without a response: the merge base in place
 * of the text `baseVersion`. Undefined when there is none.
 */
export function ownText(
  current: StaleArticle | undefined,
  baseVersion: number,
): ArticleText | undefined {
  const last = current?.arrived?.at(-1)
  return last && last.textVersion > baseVersion ? current?.arrivedText : undefined
}

/** Keys of earlier saves that had not arrived when this one was refused. */
export function missingOf(
  { unconfirmed = [] }: Pick<SentSave, 'unconfirmed'>,
  current: StaleArticle | undefined,
): string[] {
  const arrived = current?.arrived?.map(({ key }) => key) ?? []
  return unconfirmed.filter((key) => !arrived.includes(key))
}

/** Whether a server that refused this condition has no later text than the one it names: its data went back. */
export function isBack(
  ifMatch: string | null,
  current: Pick<StaleArticle, 'textVersion'>,
): boolean {
  const { textVersion = 0 } = readTag(ifMatch ?? '')
  return textVersion >= current.textVersion
}

function readRefusal(status: number, body: ErrorBody, epoch: string | null): Verdict {
  const { message } = body
  const refusal = { status, message, reason: body.reason ?? null }
  const refused = (reason: BlockedReason, confirm = false): Verdict => ({
    kind: 'refused',
    reason,
    confirm,
    refusal,
  })
  if (status === 401) return { kind: 'sign-in', message }
  if (status === 403) return refused('revoked', true)
  if (status === 404 || status === 410) return refused('deleted', true)
  if (status === 409 && body.reason === 'article_completed') return refused('completed', true)
  if (status === 409) return notNow(message)
  if (status === 412) {
    const { current } = body
    return current && 'articleText' in current && current.articleText
      ? { kind: 'stale', current, epoch }
      : noAnswer('Answer 412 without the text')
  }
  if (status === 413) return refused('too-large')
  if (status === 422) return { kind: 'rekey', message }
  if (status === 426) return { kind: 'update', message }
  return status >= 400 && status < 500 ? refused('rejected') : noAnswer(message)
}

/** What a refused GET says about the article; null when the status says nothing about it. */
export function goneReason(status: number): 'revoked' | 'deleted' | null {
  if (status === 403) return 'revoked'
  return status === 404 || status === 410 ? 'deleted' : null
}

export function isArticleAnswer(value: unknown): value is ArticleAnswer {
  const article = value as Partial<ArticleAnswer> | null | undefined
  return (
    typeof article?.id === 'string' &&
    typeof article.version === 'number' &&
    typeof article.textVersion === 'number' &&
    typeof article.completed === 'boolean' &&
    typeof article.updatedAt === 'string'
  )
}
