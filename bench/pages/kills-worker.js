import { BackgroundSyncPlugin } from 'workbox-background-sync'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst, NetworkOnly } from 'workbox-strategies'

/** The service worker of Workbox's guide: pages from the network or the cache, failed saves are sent again later. */

registerRoute(({ request }) => request.method === 'GET', new NetworkFirst())
registerRoute(
  ({ url }) => url.pathname === '/text',
  new NetworkOnly({
    plugins: [new BackgroundSyncPlugin('saves', { maxRetentionTime: 24 * 60 })],
  }),
  'PATCH',
)
addEventListener('install', () => globalThis.skipWaiting())
addEventListener('activate', (event) => event.waitUntil(globalThis.clients.claim()))
