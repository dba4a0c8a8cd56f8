import type { ArticleListAnswer, ArticleListBody } from '../../domain/wire/article-lists.ts'
import { type HttpAnswer, NoAnswer, type Send } from '../../sync/ports.ts'
import { accepted } from './http.ts'

export type ListBody = Pick<ArticleListBody, 'articles' | 'clients'>

/** `stale`: nothing was done, because the agency's articles are other ones now; `answer` is the new check. */
export type RunOutcome = { kind: 'done' | 'stale'; answer: ArticleListAnswer }

export type ArticleLists = ReturnType<typeof createArticleLists>

const CONFLICT = 409

/** The calls that create or change many articles from one list. Both reject with Refused or NoAnswer. */
export function createArticleLists(send: Send) {
  const post = (body: ArticleListBody, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      path: '/articles/list',
      headers,
      body: JSON.stringify(body),
      mayPack: true,
    })
  return {
    /** What would happen. Nothing is saved. */
    check: async (body: ListBody) => listIn(accepted(await post({ ...body, dryRun: true })).json),
    /** Does what the check with this `plan` said, once for each `key`. */
    async run(body: ListBody & { plan: string; source: string }, key: string): Promise<RunOutcome> {
      const answer = await post({ ...body, dryRun: false }, { 'Idempotency-Key': key })
      const stale = staleIn(answer)
      if (stale) return { kind: 'stale', answer: stale }
      return { kind: 'done', answer: listIn(accepted(answer).json) }
    },
  }
}

/** A refused run says what would happen now. */
function staleIn({ status, json }: HttpAnswer): ArticleListAnswer | null {
  const { list } = Object(json) as { list?: unknown }
  return status === CONFLICT && list !== undefined ? listIn(list) : null
}

/** A success that is no such answer comes from something between this computer and the server. */
function listIn(json: unknown): ArticleListAnswer {
  const list = json as Partial<ArticleListAnswer> | null | undefined
  if (!Array.isArray(list?.articles) || !Array.isArray(list.unknownClients)) throw new NoAnswer()
  return list as ArticleListAnswer
}
