import { Hono } from 'hono'
import type * as z from 'zod'
import { ARTICLE_BODY_BYTES, BATCH_BODY_BYTES } from '../../domain/limits.ts'
import { articleBatchBody, articlePatchBody } from '../../domain/wire-changes.ts'
import { refusalOf } from '../answer-error.ts'
import { answerText } from '../answer-text.ts'
import { type AppContext, type AppEnv, requireUser } from '../authenticate.ts'
import type { Deps } from '../deps.ts'
import { ApiError, articleNotFound } from '../errors.ts'
import { tellState } from '../events/state-headers.ts'
import { check, readJson } from '../read-body.ts'
import { isId } from '../read-query.ts'
import { limitBatchedSave } from '../throttle/request-limits.ts'
import { changeAnswer, readingChange } from './exchange.ts'
import { originOf, type PatchRequest, patchArticle, readPatch } from './patch-article.ts'

type Change = z.output<typeof articleBatchBody>['changes'][number]

/**
 * PATCH /v1/articles: what a laptop wrote without a connection, in few calls. Each change has its own
 * transaction, key, condition and answer, all as PATCH /v1/articles/{id} has them, so a change may be repeated
 * by either call. None sees what became of the others. A text comes back to a stale change only: few bytes would
 * otherwise ask for the same large article many times.
 */
export function batchRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.patch('/', requireUser(deps), tellState(deps), async (c) => {
    const batch = await readJson(c, articleBatchBody, BATCH_BODY_BYTES, 'maybe-packed')
    const answers: Promise<string>[] = []
    const room = { bytes: BATCH_BODY_BYTES }
    // Their transactions begin in this order, and none waits for the end of another: commits can be shared.
    for (const change of batch.changes) {
      const request = await readRequest(deps, c, change).catch((fault: unknown) => ({ fault }))
      answers.push(answerTo(deps, c, { change, request, room }))
    }
    const json = `{"answers":[${(await Promise.all(answers)).join(',')}]}`
    return answerText(c, json)
  })
  return routes
}

async function readRequest(
  deps: Deps,
  c: AppContext,
  { id, headers, body }: Change,
): Promise<PatchRequest> {
  const viewer = c.get('viewer')
  await limitBatchedSave(deps, viewer.sessionId)
  if (!isId(id)) throw articleNotFound()
  return {
    viewer,
    articleId: id,
    body: await readingChange(['PATCH', `/v1/articles/${id}`], async () => readBody(body)),
    idempotencyKey: headers['Idempotency-Key'],
    ifMatch: headers['If-Match'],
    epoch: headers['Server-Epoch'],
    origin: originOf(headers['Contun-Reason']),
  }
}

function readBody(body: unknown) {
  const patch = readPatch(check(articlePatchBody, body))
  const bytes = Buffer.byteLength(patch.changes.text?.json ?? '')
  if (bytes <= ARTICLE_BODY_BYTES) return patch
  throw new ApiError(413, `The change is larger than ${ARTICLE_BODY_BYTES} bytes`)
}

type Asked = {
  change: Change
  request: PatchRequest | { fault: unknown }
  /** What the texts in all answers of the batch may still have. */
  room: { bytes: number }
}

/** As JSON text. */
async function answerTo(deps: Deps, c: AppContext, asked: Asked): Promise<string> {
  const { request, room } = asked
  const answered = `{"id":${JSON.stringify(asked.change.id)},"status":`
  const refused = (fault: unknown) => {
    const { status, headers, body } = refusalOf(deps, c.get('requestId'), fault)
    const json = JSON.stringify(body)
    if (body.current !== undefined) room.bytes -= Buffer.byteLength(json)
    return `${answered}${status},"headers":${JSON.stringify(headers)},"body":${json}}`
  }
  try {
    if ('fault' in request) throw request.fault
    const { headers, json } = changeAnswer(await patchArticle(deps, request), 'return=minimal')
    return `${answered}200,"headers":${JSON.stringify(headers)},"body":${json}}`
  } catch (fault) {
    return refused(isStale(fault) && room.bytes <= 0 ? answerIsFull() : fault)
  }
}

const isStale = (fault: unknown): boolean =>
  fault instanceof ApiError && fault.refusal.current !== undefined

const answerIsFull = () =>
  new ApiError(429, 'The answer holds no more texts. Please send this change again.', {
    headers: { 'Retry-After': '1' },
  })
