import { Hono } from 'hono'
import type * as z from 'zod'
import { ARTICLE_BODY_BYTES, BATCH_BODY_BYTES } from '../../domain/limits.ts'
import { articleBatchBody, articlePatchBody } from '../../domain/wire/changes.ts'
import type { Deps } from '../deps.ts'
import { type AppContext, type AppEnv, requireUser } from '../http/authenticate.ts'
import { refusalOf } from '../http/error-response.ts'
import { ApiError, articleNotFound } from '../http/errors.ts'
import { jsonResponse } from '../http/json-response.ts'
import { check, checkJson, readText } from '../http/read-body.ts'
import { isId } from '../http/read-query.ts'
import { giveWay } from '../process/give-way.ts'
import { limitBatchedSave } from '../throttle/request-limits.ts'
import { aboutChange, changeAnswer, readingChange } from './article-http.ts'
import { type BatchRoom, batchRoom } from './batch-room.ts'
import { originOf, type PatchRequest, patchArticle, readPatch } from './patch-article.ts'

/** Characters of the body per turn of the event loop; small changes share a turn and a commit. */
const CHARACTERS_IN_A_TURN = 100_000

type Change = z.output<typeof articleBatchBody>['changes'][number]

/**
 * PATCH /v1/articles: the changes that a client made offline, in few calls. Each change has its own transaction, key,
 * condition and response, all as in PATCH /v1/articles/{id}, so a change may be retried by either call. Changes do not
 * see each other's results. Only a stale change returns a text, once per article; what exceeds the limits of the batch
 * has to be sent again.
 */
export function batchRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.patch('/', requireUser(deps, { tellsState: true }), async (c) => {
    const text = await readText(c, BATCH_BODY_BYTES, 'maybe-packed')
    const { changes } = checkJson(articleBatchBody, text)
    const answers: Promise<string>[] = []
    const room = batchRoom()
    const turn = changesInATurn(text, changes)
    // Their transactions begin in this order, and none waits for the end of another: commits can be shared.
    for (const [at, change] of changes.entries()) {
      if (at > 0 && at % turn === 0) await giveWay()
      const request = await readRequest(deps, c, change, room).catch((fault: unknown) => ({
        fault,
      }))
      answers.push(answerTo(deps, c, { change, request }))
    }
    const json = `{"answers":[${(await Promise.all(answers)).join(',')}]}`
    return jsonResponse(c, json)
  })
  return routes
}

/** Limits long texts per turn of the event loop, so that other requests run in between. */
const changesInATurn = (text: string, changes: readonly Change[]): number =>
  Math.max(1, Math.floor((CHARACTERS_IN_A_TURN * changes.length) / text.length))

async function readRequest(
  deps: Deps,
  c: AppContext,
  { id, headers, body }: Change,
  room: BatchRoom,
): Promise<PatchRequest> {
  const viewer = c.get('viewer')
  await limitBatchedSave(deps, viewer.sessionId)
  if (!isId(id)) throw articleNotFound()
  // Validating a text is most of the work, and wasted when its change is refused.
  room.enter(id)
  return {
    viewer,
    articleId: id,
    body: await readingChange(['PATCH', `/v1/articles/${id}`], async () => readBody(body)),
    idempotencyKey: headers['Idempotency-Key'],
    ifMatch: headers['If-Match'],
    epoch: headers['Server-Epoch'],
    origin: originOf(headers['Contun-Reason']),
    supersedes: headers['Contun-Supersedes'],
    // A parameter of the whole batch: earlier servers refuse a change with a header that they do not know.
    knowsLinks: aboutChange(c).knowsLinks,
    room,
  }
}

function readBody(body: unknown) {
  const patch = readPatch(check(articlePatchBody, body))
  const bytes = Buffer.byteLength(patch.changes.text?.json ?? '')
  if (bytes <= ARTICLE_BODY_BYTES) return patch
  throw new ApiError(413, `The change is larger than ${ARTICLE_BODY_BYTES} bytes`)
}

type Asked = { change: Change; request: PatchRequest | { fault: unknown } }

/** The response to one change, as JSON. */
async function answerTo(deps: Deps, c: AppContext, { change, request }: Asked): Promise<string> {
  const answered = `{"id":${JSON.stringify(change.id)},"status":`
  try {
    if ('fault' in request) throw request.fault
    const { headers, json } = changeAnswer(await patchArticle(deps, request), 'return=minimal')
    return `${answered}200,"headers":${JSON.stringify(headers)},"body":${json}}`
  } catch (fault) {
    const { status, headers, json } = refusalOf(deps, c.get('requestId'), fault)
    return `${answered}${status},"headers":${JSON.stringify(headers)},"body":${json}}`
  }
}
