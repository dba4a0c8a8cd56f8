import './kit.css'
import '@fontsource-variable/literata/opsz.css'
import '@fontsource-variable/literata/opsz-italic.css'
import '@fontsource-variable/hanken-grotesk/wght.css'
import './fonts/letters.css'
import './global.css'
import { createApiClient } from './app/api-client.ts'
import { renderApp } from './app/app.tsx'
import type { App } from './app/app-context.tsx'
import { browserFeatures } from './app/browser-features.ts'
import { keepPageOnDrop } from './app/keep-page-on-drop.ts'
import { createLazyLocal } from './app/lazy-local.ts'
import { guardLeaving } from './app/leave-guard.ts'
import { createLeaveHold } from './app/leave-hold.ts'
import { refetchLostStyles } from './app/lost-styles.ts'
import { readNames } from './app/names.ts'
import { createNewVersion } from './app/new-version.ts'
import { followPage } from './app/page-lifecycle.ts'
import { createPreloadedArticle } from './app/preloaded-article.ts'
import { createSignOut } from './app/sign-out.ts'
import { start } from './app/start.ts'
import { keepInputMethodKeys } from './keys.ts'
import { browserBus, browserClock, browserLocks } from './platform/ports.ts'
import { randomId } from './platform/random-id.ts'
import { openChannel, openStorage } from './platform/storage.ts'
import {
  allowPlainTextOnly,
  createWorkerUrls,
  type TrustedTypes,
  WORKER_URL,
} from './platform/trusted-types.ts'
import packWorkerUrl from './remote/pack-worker.ts?worker&url'
import csvWorkerUrl from './screens/admin/csv/csv-worker.ts?worker&url'
import zipWorkerUrl from './screens/admin/save-all/zip-worker.ts?worker&url'
import recordWorkerUrl from './screens/article/written/record-worker.ts?worker&url'

/** The one place where the page meets the real clock, languages, network, storage and randomness. */

const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
allowPlainTextOnly(trustedTypes)
const workerUrl = createWorkerUrls(trustedTypes, [
  WORKER_URL,
  csvWorkerUrl,
  packWorkerUrl,
  recordWorkerUrl,
  zipWorkerUrl,
])
const openWorker = (url: string) => new Worker(workerUrl(url), { type: 'module' })
keepInputMethodKeys(window)

const clock = browserClock({
  now: () => Date.now(),
  setTimeout: (task, ms) => window.setTimeout(task, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
})
const storage = openStorage(() => localStorage)
const locks = browserLocks(navigator.locks, clock)
const newId = () => randomId((bytes) => crypto.getRandomValues(bytes))
const { origin } = location
const api = createApiClient({
  clock,
  locks,
  storage,
  origin,
  isOnline: navigator.onLine,
  openPackWorker: () => openWorker(packWorkerUrl),
})
const { connection, sessions, send, accounts } = api
const bus = browserBus(openChannel('contun'))
const { local, workspace } = createLazyLocal({
  api,
  ports: { clock, random: () => Math.random(), newId, locks, bus },
  snapshotStore: storage,
  origin,
  canShareStream: Boolean(navigator.locks),
})
const effects = { now: clock.now, after: clock.after, newId }
const signOut = createSignOut({ sessions, workspace, accounts, storage, effects })
const leaveGuard = guardLeaving(workspace, window)
refetchLostStyles(document, clock.after)
keepPageOnDrop(window, (files) =>
  import('./left-out.ts').then(({ sayLeftOut }) => sayLeftOut({ files })).catch(() => {}),
)
const flush = followPage({
  window,
  document,
  connection,
  sessions,
  workspace,
  signOut,
  leaveGuard,
})
const newVersion = createNewVersion({
  window,
  workers: import.meta.env.PROD ? navigator.serviceWorker : undefined,
  workerUrl: workerUrl(WORKER_URL),
  clock,
  flush,
})

const app: App = {
  ...browserFeatures({ window, navigator, storage, clock }),
  names: readNames(document.getElementById('contun-names')?.textContent),
  clock,
  newId,
  leaveHold: createLeaveHold(window),
  send,
  accounts,
  sessions,
  connection,
  workspace,
  preloadedArticle: createPreloadedArticle(clock),
  local,
  signOut,
  storage,
  tabStorage: openStorage(() => sessionStorage),
  languages: navigator.languages,
  openCsvWorker: () => openWorker(csvWorkerUrl),
  openZipWorker: () => openWorker(zipWorkerUrl),
  openRecordWorker: () => openWorker(recordWorkerUrl),
  async loadAgain() {
    await flush()
    // Where the start guard is not there to do it.
    if (dispatchEvent(new Event('contun-load-again', { cancelable: true }))) location.reload()
  },
}

void start({
  app,
  location,
  newVersion,
  render: () => renderApp(document.getElementById('root'), app),
})
