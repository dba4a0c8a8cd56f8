import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import type { AppEnv } from '../http/authenticate.ts'
import { describeApi } from './description.ts'

/** Serves the API description, which is created on the first request. */
export function openapiRoutes({ config }: Pick<Deps, 'config'>): Hono<AppEnv> {
  let text: string | undefined
  const routes = new Hono<AppEnv>()
  routes.get('/openapi.json', (c) => {
    text ??= JSON.stringify(describeApi(config.publicUrl))
    return c.body(text, 200, { 'Content-Type': 'application/json' })
  })
  return routes
}
