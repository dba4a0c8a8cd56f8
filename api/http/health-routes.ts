import { Hono } from 'hono'
import { readMeta } from '../database/meta-rows.ts'
import type { Deps } from '../deps.ts'
import type { AppEnv } from './authenticate.ts'

/** Probes for monitoring and proxies: liveness, and readiness for requests. */
export function healthRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get('/healthz', (c) => c.json({ status: 'ok', version: deps.version }))
  routes.get('/readyz', async (c) => {
    const isReady =
      !deps.isDraining() && deps.health.damage() === null && (await answersQueries(deps))
    return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'unavailable' }, 503)
  })
  return routes
}

/** False before the tables are created, and when the file is missing or damaged. */
async function answersQueries({ db, health }: Deps): Promise<boolean> {
  try {
    return (await readMeta(db, 'server_epoch')) !== undefined
  } catch (fault) {
    health.noteFault(fault)
    return false
  }
}
