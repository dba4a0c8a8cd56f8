/** How long a new version may take to take over before the page goes on with the old one. */
const TAKEOVER_MS = 5_000

/** What the browser asks for by itself after a page has loaded, its icons and its manifest, is through by then. */
const QUIET_MS = 300

/**
 * Lets the version that waits beside the running one take over. Resolves with whether there was one and
 * it did; this page runs what it started with until it is loaded again.
 *
 * The running worker has to end first, and a file that is asked for while it ends starts it once more:
 * then the new version goes on waiting. So it is asked when the page has `loaded` and is quiet.
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
