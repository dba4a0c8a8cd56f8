import type { Workbox } from 'workbox-window'

/** How long a new version may take to take over before the page starts with the old one. */
const TAKEOVER_MS = 1_000

/**
 * A new version waits beside the running one and is opened by the next page that starts, before
 * anything can be typed there. Pages that are open keep running what they started with.
 */
export async function openWaitingVersion(
  workers: ServiceWorkerContainer,
  after: (ms: number, task: () => void) => void,
  reload: () => void,
): Promise<'current' | 'reloading'> {
  const registration = await workers.getRegistration()
  const waiting = registration?.waiting
  if (!waiting || !workers.controller) return 'current'
  const tookOver = new Promise<boolean>((settle) => {
    workers.addEventListener('controllerchange', () => settle(true), { once: true })
    after(TAKEOVER_MS, () => settle(false))
  })
  waiting.postMessage({ type: 'SKIP_WAITING' })
  if (!(await tookOver)) return 'current'
  reload()
  return 'reloading'
}

/** The browser asks by itself only when a page is opened, and some stay open for days. */
const LOOK_MS = 60 * 60_000

/** Keeps the shell on this computer for the next start without a connection, and asks for newer ones. */
export async function keepShell(
  worker: Workbox,
  after: (ms: number, task: () => void) => void,
  onNewVersion: () => void,
): Promise<void> {
  worker.addEventListener('waiting', onNewVersion)
  await worker.register()
  function look() {
    after(LOOK_MS, look)
    worker.update().catch(() => {})
  }
  after(LOOK_MS, look)
}
