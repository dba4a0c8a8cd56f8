import { Workbox } from 'workbox-window'

type Shell = {
  workers: ServiceWorkerContainer
  url: string
  after: (ms: number, task: () => void) => void
  onNewVersion: () => void
}

/** The browser asks only when a page is opened, and some stay open for days. */
const LOOK_MS = 60 * 60_000

/** Delay before an installation is retried that failed because a file of its release was wrong or missing. */
const AGAIN_MS = 5_000

/**
 * Caches the shell for the next start without a connection, and checks for newer ones. The browser abandons an
 * installation at the first bad response, so it is retried with increasing delays.
 */
export function keepShell({ workers, url, after, onNewVersion }: Shell): void {
  const followed = new WeakSet<ServiceWorker>()
  let isRegistered = false
  let pause = AGAIN_MS
  let turn = 0

  function lookAfter(ms: number): void {
    const own = ++turn
    after(ms, () => {
      if (own === turn) void look()
    })
  }

  function tryAgain(): void {
    lookAfter(pause)
    pause = Math.min(2 * pause, LOOK_MS)
  }
  function follow(coming: ServiceWorker | null): void {
    if (!coming || followed.has(coming)) return
    followed.add(coming)
    let isInstalled = false
    coming.addEventListener('statechange', () => {
      // One that is installed is replaced by the next, which is no failure.
      if (coming.state === 'redundant' && !isInstalled) tryAgain()
      if (coming.state !== 'installed') return
      isInstalled = true
      pause = AGAIN_MS
      // The library does not announce one that the browser began to fetch before it.
      if (workers.controller) onNewVersion()
    })
  }

  /** Also after a first installation that failed, which leaves no registration. */
  async function register(): Promise<void> {
    const worker = new Workbox(url)
    worker.addEventListener('waiting', onNewVersion)
    const registration = await worker.register()
    if (!registration) return
    registration.addEventListener('updatefound', () => follow(registration.installing))
    follow(registration.installing)
    const { installing, waiting, active } = registration
    // 'Load again' in another tab may have deleted its files, and no installation restores them.
    active?.postMessage({ type: 'KEEP_RELEASE' })
    if (!installing && !waiting && !active) tryAgain()
  }

  async function look(): Promise<void> {
    lookAfter(LOOK_MS)
    try {
      const registration = isRegistered && (await workers.getRegistration())
      if (registration) await registration.update()
      else await register()
      isRegistered = true
    } catch {
      tryAgain()
    }
  }

  void look()
}
