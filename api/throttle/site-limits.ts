import type { Deps } from '../deps.ts'
import { siteOf } from './client-network.ts'
import type { Limit } from './limits.ts'

/** What all networks of one IPv6 site may do together, as a multiple of what one of them may. */
const SITE_SHARE = 4

/** What one attempt counts against: its network, and for IPv6 also the site, which has 65,536 networks. */
export function networkLimits(limit: Limit, network: string): (readonly [Limit, string])[] {
  const site = siteOf(network)
  if (site === null) return [[limit, network]]
  const ofSite = { ...limit, name: `${limit.name}-site`, most: limit.most * SITE_SHARE }
  return [
    [limit, network],
    [ofSite, site],
  ]
}

/** Counts one more of this network and its site. Throws 429 beyond either limit. */
export async function takeOfNetwork(
  { throttle }: Pick<Deps, 'throttle'>,
  limit: Limit,
  network: string,
): Promise<void> {
  for (const [each, key] of networkLimits(limit, network)) await throttle.take(each, key)
}

/** As if the last one of this network and its site had not been. */
export async function giveBackOfNetwork(
  { throttle }: Pick<Deps, 'throttle'>,
  limit: Limit,
  network: string,
): Promise<void> {
  for (const [each, key] of networkLimits(limit, network)) await throttle.giveBack(each, key)
}
