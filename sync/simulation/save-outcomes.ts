import type { HttpAnswer, HttpRequest } from '../ports.ts'
import {
  type ArticleAnswer,
  overwriting,
  ownSaves,
  type SentSave,
} from '../protocol/push-result.ts'
import { isFromMemory } from './single-changes.ts'

type Outcome = { isFailure: boolean; at: number }

/**
 * The outcome of a browser's last attempt to save each text, as its pages received it: the truth that the save-failed
 * banner is compared with. There is no outcome where the response leaves it open. Words in the memory of one page alone
 * are no attempt for the text that all pages have. What a page that was frozen receives too late, of a change that
 * another one has settled or superseded, is no outcome either, nor is a save that replaced a text that is still to be
 * restored.
 */
export function createSaveOutcomes(now: () => number) {
  const byArticle = new Map<string, Outcome>()
  const answered = new Set<string>()

  return {
    /** A save is in flight; the outcomes of those that it supersedes no longer count. */
    sent(request: HttpRequest): void {
      for (const earlier of sentSave(request).unconfirmed ?? []) answered.add(earlier)
    },
    /** `isNoted` is false where the page cannot write what it received. */
    heard(request: HttpRequest, answer: HttpAnswer | null, isNoted: boolean): void {
      const articleId = savesTextOf(request)
      if (articleId === undefined || isFromMemory(request)) return
      if (!isNoted) return void byArticle.delete(articleId)
      const isFailure = answer === null || answer.status >= 500 || answer.status === 429
      const isSaved = answer?.status === 200 && hasVersion(answer.json)
      const { key } = sentSave(request)
      if (answered.has(key)) return
      if (isFailure || isPortal(answer)) {
        byArticle.set(articleId, { isFailure: true, at: now() })
        return
      }
      answered.add(key)
      if (isSaved && !replacesUnseen(request, answer))
        byArticle.set(articleId, { isFailure: false, at: now() })
      else byArticle.delete(articleId)
    },
    /** A page is gone or frozen: what it did with its response is unknown. */
    forget: () => byArticle.clear(),
    /** Undefined until the banner had `ms` to follow. */
    after(articleId: string, ms: number): 'failed' | 'saved' | undefined {
      const outcome = byArticle.get(articleId)
      if (!outcome || now() - outcome.at < ms) return undefined
      return outcome.isFailure ? 'failed' : 'saved'
    },
  }
}

export type SaveOutcomes = ReturnType<typeof createSaveOutcomes>

function savesTextOf({ method, path, body }: HttpRequest): string | undefined {
  if (method !== 'PATCH' || !('articleText' in JSON.parse(body ?? '{}'))) return undefined
  return path.split('/').at(-1)
}

const isPortal = (answer: HttpAnswer): boolean => answer.status === 200 && !hasVersion(answer.json)
const hasVersion = (json: unknown): boolean =>
  typeof (json as { textVersion?: unknown } | undefined)?.textVersion === 'number'

function sentSave({ headers = {} }: HttpRequest): SentSave {
  return {
    key: headers['Idempotency-Key'] ?? '',
    ifMatch: headers['If-Match'] ?? null,
    unconfirmed: headers['Contun-Supersedes']?.split(','),
  }
}

const replacesUnseen = (request: HttpRequest, { json }: HttpAnswer): boolean =>
  overwriting(sentSave(request), ownSaves(sentSave(request), json as ArticleAnswer)).length > 0
