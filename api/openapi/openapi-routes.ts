import { Hono } from 'hono'
import type { AppEnv } from '../authenticate.ts'
import { describeApi } from './description.ts'

let text: string | undefined

/** The description of the API, the same for everybody; made when it is first asked for. */
export function openapiRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/openapi.json', (c) => {
    text ??= JSON.stringify(describeApi())
    return c.body(text, 200, { 'Content-Type': 'application/json' })
  })
  return routes
}
