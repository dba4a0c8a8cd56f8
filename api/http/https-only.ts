import { createMiddleware } from 'hono/factory'
import type { Deps } from '../deps.ts'
import { isTrusted, networkList, plainAddress } from '../throttle/client-network.ts'
import type { AppEnv } from './authenticate.ts'
import { ApiError } from './errors.ts'

/**
 * When the public address is https, a call that a trusted proxy received by plain http, or that passed no trusted
 * proxy, is refused with 421. It is not redirected: its token was readable on the way already, and the sender should
 * notice. Without TRUSTED_PROXIES no forwarded header is trusted, and nothing is refused: returns null.
 */
export function httpsOnly({ config }: Pick<Deps, 'config'>) {
  const trusted = networkList(config.trustedProxies)
  const isAsked = config.publicUrl.startsWith('https:') && config.trustedProxies.length > 0
  if (!isAsked) return null
  return createMiddleware<AppEnv>(async (c, next) => {
    const peer = plainAddress(c.env?.peer ?? '')
    const isProxy = trusted !== null && isTrusted(peer, trusted)
    // The last of several proxies is ours.
    const scheme = c.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
    if (!(isProxy && (scheme ?? 'https') === 'https')) {
      throw new ApiError(421, `Please use ${config.publicUrl}`, { reason: 'https_required' })
    }
    await next()
  })
}
