import { Hono, type MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { accountRoutes } from './accounts/account-routes.ts'
import { articleListRoutes } from './article-lists/article-list-routes.ts'
import { articleRoutes } from './articles/article-routes.ts'
import { logRoutes } from './audit/log-routes.ts'
import { clientRoutes } from './clients/client-routes.ts'
import type { Deps } from './deps.ts'
import { eventRoutes } from './events/event-routes.ts'
import { handInRoutes } from './hand-ins/hand-in-routes.ts'
import { receiptKeyRoutes } from './hand-ins/receipt-key-routes.ts'
import { handOverRoutes } from './hand-overs/hand-over-routes.ts'
import { homeRoutes } from './home/home-routes.ts'
import type { AppEnv } from './http/authenticate.ts'
import { errorResponse } from './http/error-response.ts'
import { ApiError } from './http/errors.ts'
import { healthRoutes } from './http/health-routes.ts'
import { httpsOnly } from './http/https-only.ts'
import { refuseWhenUnfit } from './http/refuse-when-unfit.ts'
import { requestLog } from './http/request-log.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { openapiRoutes } from './openapi/openapi-routes.ts'
import { metricsRoutes } from './operations/metrics-routes.ts'
import { presenceRoutes } from './presence/presence-routes.ts'
import { programTokenRoutes } from './programs/program-token-routes.ts'
import { progressRoutes } from './progress/progress-routes.ts'
import { secondStepRoutes } from './second-step/second-step-routes.ts'
import { templateRoutes } from './templates/template-routes.ts'
import { undeliveredTextRoutes } from './undelivered/undelivered-text-routes.ts'
import { userRoutes } from './users/user-routes.ts'

/**
 * The whole server as one function from request to response. It never listens. `pages` handles every route outside the
 * API; without it there is only the API.
 */
export function createApp(deps: Deps, pages?: MiddlewareHandler): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(requestLog(deps))
  app.use(commonHeaders(deps))
  app.use(notifyOfChanges(deps))
  app.route('/', healthRoutes(deps))
  if (deps.config.metricsToken !== null)
    app.route('/', metricsRoutes(deps, deps.config.metricsToken))
  if (deps.config.apiDocs) app.route('/', openapiRoutes(deps))
  app.route('/', receiptKeyRoutes(deps))
  const refusePlainHttp = httpsOnly(deps)
  if (refusePlainHttp) app.use('/v1/*', refusePlainHttp)
  app.use('/v1/*', refuseWhenUnfit(deps))
  app.route('/v1/auth', accountRoutes(deps))
  app.route('/v1/users', userRoutes(deps))
  app.route('/v1/users', secondStepRoutes(deps))
  app.route('/v1/clients', clientRoutes(deps))
  app.route('/v1/articles', articleListRoutes(deps))
  app.route('/v1/articles', articleRoutes(deps))
  app.route('/v1', logRoutes(deps))
  app.route('/v1/events', eventRoutes(deps))
  app.route('/v1/presence', presenceRoutes(deps))
  app.route('/v1/home', homeRoutes(deps))
  app.route('/v1/progress', progressRoutes(deps))
  app.route('/v1', handInRoutes(deps))
  app.route('/v1/hand-overs', handOverRoutes(deps))
  app.route('/v1/program-tokens', programTokenRoutes(deps))
  app.route('/v1/templates', templateRoutes(deps))
  app.route('/v1', undeliveredTextRoutes(deps))
  app.route('/', mailRoutes(deps))
  if (pages) app.use(pages)
  app.notFound((c) => errorResponse(deps, c, new ApiError(404, 'Not found')))
  app.onError((fault, c) => errorResponse(deps, c, fault))
  return app
}

/** Notifies listeners of a change after the response to it is made. Who has an article open is none. */
function notifyOfChanges({ changes, background }: Deps) {
  return createMiddleware(async (c, next) => {
    await next()
    if (c.req.method !== 'GET' && c.req.path !== '/v1/presence') background(changes.look)
  })
}

const JSON_TYPE = 'application/json'
/** Responses of the API are data: nothing in them may ever run. Pages set their own policy. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

const COMMON_HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const
const HTTPS_ONLY = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const

function commonHeaders({ config, isDraining }: Deps) {
  const isHttps = config.publicUrl.startsWith('https:')
  const always = isHttps ? [...COMMON_HEADERS, HTTPS_ONLY] : COMMON_HEADERS
  return createMiddleware(async (c, next) => {
    await next()
    // Not c.header: on an existing response it creates a new one, whose body is then sent as a stream.
    const { headers } = c.res
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', DATA_POLICY)
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    if (headers.get('Content-Type') === JSON_TYPE) {
      headers.set('Content-Type', `${JSON_TYPE}; charset=utf-8`)
    }
    for (const [name, value] of always) headers.set(name, value)
    if (isDraining()) headers.set('Connection', 'close')
  })
}
