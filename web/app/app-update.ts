/** How long a new version may take to take over before the page continues with the old one. */
const TAKEOVER_MS = 5_000

/** The browser's own requests after a page load (icons, manifest) have finished within this time. */
const QUIET_MS = 300

/**
 * Activates the waiting service worker. Resolves with true if there was one and it took over. This page keeps running
 * the version it was loaded with until it is reloaded.
 *
 * A new worker activates only after the running one has ended, and a request while that one ends restarts it, so that
 * the new version keeps waiting. The message is therefore sent when the page has `loaded` and makes no requests.
 */
export async function openWaitingVersion(
  workers: ServiceWorkerContainer,
  after: (ms: number, task: () => void) => void,
  loaded: () => Promise<void>,
): Promise<boolean> {
  if (!workers.controller) return false
  const registration = await workers.getRegistration()
  if (!registration?.waiting) return false
  return new Promise((settle) => {
    workers.addEventListener('controllerchange', () => settle(true), { once: true })
    void loaded().then(() =>
      after(QUIET_MS, () => {
        registration.waiting?.postMessage({ type: 'SKIP_WAITING' })
        after(TAKEOVER_MS, () => settle(false))
      }),
    )
  })
}
