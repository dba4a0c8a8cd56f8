import './kit.css'
import '@fontsource-variable/literata/opsz.css'
import '@fontsource-variable/literata/opsz-italic.css'
import '@fontsource-variable/hanken-grotesk/wght.css'
import './fonts/letters.css'
import './global.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { matchPath } from 'react-router-dom'
import { createStore } from 'zustand/vanilla'
import type { User } from '../domain/wire-users.ts'
import { createSend } from '../sync/auth/authorised.ts'
import { DEVICE_DATABASE } from '../sync/device/device-name.ts'
import { type App, AppProvider, type InstallOffer } from './app/app-context.tsx'
import { openWaitingVersion } from './app/app-update.ts'
import { createConnection } from './app/connection.ts'
import { createEarlyText } from './app/early-text.ts'
import { keepPageOnDrop } from './app/keep-page-on-drop.ts'
import { guardLeaving } from './app/leave-guard.ts'
import { refetchLostStyles } from './app/lost-styles.ts'
import { readNames } from './app/names.ts'
import { notices } from './app/notices.ts'
import { once } from './app/once.ts'
import { paths } from './app/paths.ts'
import { fetchParts, Screens } from './app/routes.tsx'
import { createSessions } from './app/session.ts'
import { createSignOut } from './app/sign-out.ts'
import { createWorkspaceStore, openLater } from './app/workspace-later.ts'
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
import { createAccounts } from './remote/accounts.ts'
import { createTransport, sendLast } from './remote/http.ts'
import { packLongElsewhere } from './remote/pack.ts'
import packWorkerUrl from './remote/pack-worker.ts?worker&url'
import { createStreamTransport } from './remote/stream.ts'
import csvWorkerUrl from './screens/admin/articles/csv-worker.ts?worker&url'
import { cssVariables, theme } from './theme.ts'

/** The one place where the page meets the real clock, network, storage and randomness. */

const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
allowPlainTextOnly(trustedTypes)
const workerUrl = createWorkerUrls(trustedTypes, [WORKER_URL, csvWorkerUrl, packWorkerUrl])

keepInputMethodKeys(window)

const clock = browserClock({
  now: () => Date.now(),
  setTimeout: (task, ms) => window.setTimeout(task, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
})
const newId = () => randomId((bytes) => crypto.getRandomValues(bytes))
const locks = browserLocks(navigator.locks, clock)
const bus = browserBus(openChannel('contun'))
const connection = createConnection(!navigator.onLine, clock.now)
/** Not once somebody has answered: browsers are wrong about it. */
const isCutOff = () => connection.store.getState().cutOff
const storage = openStorage(() => localStorage)
const sessions = createSessions(storage)

const { origin } = location
const { begin } = connection
const pack = packLongElsewhere(
  once(async () => {
    const { packBeside } = await import('./remote/pack-beside.ts')
    return packBeside(() => new Worker(workerUrl(packWorkerUrl), { type: 'module' }), clock)
  }),
)
const UNPACKED_KEY = 'contun-unpacked'
const UNPACKED_MS = 24 * 60 * 60_000
/** For a day: a laptop comes to other networks. */
const packing = {
  isOff: () =>
    typeof CompressionStream !== 'function' ||
    Math.abs(clock.now() - Number(storage.getItem(UNPACKED_KEY))) < UNPACKED_MS,
  turnOff() {
    try {
      storage.setItem(UNPACKED_KEY, String(clock.now()))
    } catch {
      // Without room for the note each body is refused packed first.
    }
  },
}
const transport = createTransport({ clock, origin, begin, pack, packing })
const authority = { transport, session: sessions, locks, clock, onSignedOut: () => {} }
const send = createSend(authority)
const accounts = createAccounts(send)

const store = createWorkspaceStore()
const local = once(async () => {
  const { createLocal } = await import('./app/local.ts')
  return createLocal({
    store,
    ports: { clock, random: () => Math.random(), newId, locks, bus, isCutOff },
    lastWords: storage,
    authority,
    sendLast(userId, request) {
      const session = sessions.read()
      if (session?.user.id !== userId) return
      sendLast(location, { ...request, bearer: session.tokens.access.token })
    },
    streamTransport: navigator.locks ? createStreamTransport({ origin, begin }) : null,
  })
})
const workspace = openLater(store, async () => (await local()).workspace)
const earlyText = createEarlyText(clock)
const leaveGuard = guardLeaving(workspace, window)
const effects = { now: clock.now, after: clock.after, newId }
const signOut = createSignOut({ sessions, workspace, accounts, storage, effects })

refetchLostStyles(document, clock.after)
keepPageOnDrop(window, (files) =>
  import('./left-out.ts').then(({ sayLeftOut }) => sayLeftOut({ files })).catch(() => {}),
)

const installOffer = createStore<InstallOffer | null>(() => null)
window.addEventListener('beforeinstallprompt', (event) =>
  installOffer.setState(event as unknown as InstallOffer, true),
)
window.addEventListener('appinstalled', () => installOffer.setState(null, true))
const SHOWN_ANYWAY_KEY = 'contun-shown-anyway'
const shownAnyway = createStore(() => storage.getItem(SHOWN_ANYWAY_KEY) !== null)
const app: App = {
  names: readNames(document.getElementById('contun-names')?.textContent),
  clock,
  send,
  accounts,
  sessions,
  connection,
  workspace,
  earlyText,
  local,
  async wasUsedHere() {
    // A browser that is clearing its data may never answer.
    const later = new Promise<null>((resolve) => clock.after(2_000, () => resolve(null)))
    const databases = await Promise.race([indexedDB.databases?.().catch(() => null), later])
    return databases?.some(({ name }) => name === DEVICE_DATABASE) ?? true
  },
  signOut,
  storageManager: navigator.storage,
  installsApps: 'onbeforeinstallprompt' in window,
  installOffer,
  showBadge:
    matchMedia('(display-mode: standalone)').matches && 'setAppBadge' in navigator
      ? (count) => void navigator.setAppBadge(count).catch(() => {})
      : null,
  storage,
  shownAnyway,
  showAnyway(wanted) {
    if (shownAnyway.getState() === wanted) return
    shownAnyway.setState(wanted, true)
    if (wanted) storage.setItem(SHOWN_ANYWAY_KEY, 'yes')
    else storage.removeItem(SHOWN_ANYWAY_KEY)
  },
  async loadAgain() {
    await flush()
    // Where the start guard is not there to do it.
    if (dispatchEvent(new Event('contun-load-again', { cancelable: true }))) location.reload()
  },
  openCsvWorker: () => new Worker(workerUrl(csvWorkerUrl), { type: 'module' }),
  saveFile(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    // A browser may ask first whether or where to save it.
    clock.after(300_000, () => URL.revokeObjectURL(url))
  },
}

sessions.follow(window, () => workspace.close())
// Whoever is not signed in any more leaves no open copy behind; the texts stay on disk.
sessions.store.subscribe(({ session }, before) => {
  if (before.session && before.session.user.id !== session?.user.id) void workspace.close()
})

const flush = async () =>
  workspace.store
    .getState()
    .client?.flush()
    .catch(() => {})
const wake = () => workspace.store.getState().client?.wake()
window.addEventListener('online', () => {
  connection.find()
  wake()
  void signOut.retryUnfinished()
})
window.addEventListener('offline', connection.lose)
window.addEventListener('focus', wake)
window.addEventListener('pageshow', ({ persisted }) => {
  // A page that the browser put away has heard of no sign-out.
  const known = sessions.store.getState().session
  if (persisted && sessions.read()?.user.id !== known?.user.id) location.reload()
  else wake()
})
document.addEventListener('resume', wake)
// What a page that is being hidden, frozen or closed still has time for. Before it unloads it has more: a write begun
// then is done while the next page is still asked for, where one begun at its end now and then goes with it.
const rescue = () => workspace.store.getState().client?.rescue()
window.addEventListener('beforeunload', rescue)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wake()
  else rescue()
})
function rest(): void {
  rescue()
  workspace.store.getState().client?.rest()
}
document.addEventListener('freeze', rest)
window.addEventListener('pagehide', ({ persisted }) => {
  rest()
  if (persisted) workspace.putAway()
})

// The start guard found that a part of this page is gone with its release; a fresh start has it.
window.addEventListener('contun-outdated', async () => {
  await flush()
  if (!leaveGuard.hasTextInMemory()) location.reload()
})

const workers = import.meta.env.PROD ? navigator.serviceWorker : undefined

/** Resolves when the copy, and the text in it that the page shows, are open or cannot be opened. */
async function openCopy(user: User): Promise<void> {
  const client = await workspace.open(user).catch(() => null)
  const articleId = matchPath(paths.article, location.pathname)?.params.articleId
  if (client && articleId) await earlyText.open(client, articleId)
}

const RING_AFTER_MS = 150

/** A waiting version is opened before anything is fetched of the old one and before anything can be typed. */
async function start() {
  if (await takeOver()) return location.reload()
  const parts = fetchParts(location.pathname)
  const user = sessions.read()?.user
  const copy = user && matchPath('/client/*', location.pathname) && openCopy(user)
  if (workers) clock.after(PAGE_STANDS_MS, () => void keepShellOf(workers))
  void signOut.retryUnfinished()
  // What goes again at once, a ring or a page without its text, would be drawn for nothing.
  await Promise.race([
    Promise.all([parts, copy]),
    new Promise<void>((late) => clock.after(RING_AFTER_MS, late)),
  ])
  render()
}

/** Delay of work for later visits, so that this page renders first. */
const PAGE_STANDS_MS = 1_000

/** Retried until its code is loaded: without it no failed installation would be repaired. */
async function keepShellOf(workers: ServiceWorkerContainer) {
  try {
    const { keepShell } = await import('./app/keep-shell.ts')
    keepShell({ workers, url: workerUrl(WORKER_URL), after: clock.after, onNewVersion })
  } catch {
    clock.after(10 * PAGE_STANDS_MS, () => void keepShellOf(workers))
  }
}

const onNewVersion = () =>
  notices.info('A new version is ready', 'It will open the next time you reload.', {
    actions: [{ label: 'Reload now', run: () => void reloadNow() }],
  })

async function pageLoaded(): Promise<void> {
  if (document.readyState === 'complete') return
  await new Promise((loaded) => window.addEventListener('load', loaded, { once: true }))
}

async function takeOver(): Promise<boolean> {
  return workers ? openWaitingVersion(workers, clock.after, pageLoaded).catch(() => false) : false
}

/** What was typed until the new version took over is written first; text that no other place has is asked about. */
async function reloadNow() {
  await takeOver()
  await flush()
  location.reload()
}

function render() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root')
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      // All of them, not only what differs from the kit's own: kit.css does without the file of those.
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
    >
      <AppProvider app={app}>
        <Screens />
      </AppProvider>
    </MantineProvider>,
  )
}

void start()
