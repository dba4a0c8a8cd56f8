import './kit.css'
import '@fontsource-variable/literata/opsz.css'
import '@fontsource-variable/literata/opsz-italic.css'
import '@fontsource-variable/hanken-grotesk/wght.css'
import './fonts/letters.css'
import './global.css'
import { renderApp } from './app/app.tsx'
import type { App } from './app/app-context.tsx'
import { browserFeatures } from './app/browser-features.ts'
import { keepPageOnDrop } from './app/keep-page-on-drop.ts'
import { guardLeaving } from './app/leave-guard.ts'
import { refetchLostStyles } from './app/lost-styles.ts'
import { readNames } from './app/names.ts'
import { createNewVersion } from './app/new-version.ts'
import { followPage } from './app/page-lifecycle.ts'
import { createServices } from './app/services.ts'
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
import csvWorkerUrl from './screens/admin/articles/csv-worker.ts?worker&url'

/** The one place where the page meets the real clock, network, storage and randomness. */

const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
allowPlainTextOnly(trustedTypes)
const workerUrl = createWorkerUrls(trustedTypes, [WORKER_URL, csvWorkerUrl, packWorkerUrl])
const openWorker = (url: string) => new Worker(workerUrl(url), { type: 'module' })
keepInputMethodKeys(window)

const clock = browserClock({
  now: () => Date.now(),
  setTimeout: (task, ms) => window.setTimeout(task, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
})
const storage = openStorage(() => localStorage)
const services = createServices({
  clock,
  random: () => Math.random(),
  newId: () => randomId((bytes) => crypto.getRandomValues(bytes)),
  locks: browserLocks(navigator.locks, clock),
  bus: browserBus(openChannel('contun')),
  storage,
  location,
  isOnline: navigator.onLine,
  hasLocks: Boolean(navigator.locks),
  openPackWorker: () => openWorker(packWorkerUrl),
})
const leaveGuard = guardLeaving(services.workspace, window)
refetchLostStyles(document, clock.after)
keepPageOnDrop(window, (files) =>
  import('./left-out.ts').then(({ sayLeftOut }) => sayLeftOut({ files })).catch(() => {}),
)
const flush = followPage({ window, document, services, leaveGuard })
const newVersion = createNewVersion({
  window,
  workers: import.meta.env.PROD ? navigator.serviceWorker : undefined,
  workerUrl: workerUrl(WORKER_URL),
  clock,
  flush,
})

const app: App = {
  ...services,
  ...browserFeatures({ window, navigator, storage, clock }),
  names: readNames(document.getElementById('contun-names')?.textContent),
  clock,
  storage,
  openCsvWorker: () => openWorker(csvWorkerUrl),
  async loadAgain() {
    await flush()
    // Where the start guard is not there to do it.
    if (dispatchEvent(new Event('contun-load-again', { cancelable: true }))) location.reload()
  },
}

void start({
  location,
  clock,
  services,
  newVersion,
  render: () => renderApp(document.getElementById('root'), app),
})
