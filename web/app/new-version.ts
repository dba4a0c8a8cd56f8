import type { Clock } from '../../sync/ports.ts'
import { openWaitingVersion } from './app-update.ts'
import { notices } from './notices.ts'

type Options = {
  window: Window
  /** Undefined where the page runs without a service worker. */
  workers: ServiceWorkerContainer | undefined
  workerUrl: string
  clock: Pick<Clock, 'after'>
  /** Writes what is open. */
  flush: () => Promise<void>
}

/** Delay of work for later visits, so that this page renders first. */
const LATER_MS = 1_000

/** New releases of the page. */
export function createNewVersion({ window, workers, workerUrl, clock, flush }: Options) {
  async function pageLoaded(): Promise<void> {
    if (window.document.readyState === 'complete') return
    await new Promise((loaded) => window.addEventListener('load', loaded, { once: true }))
  }

  /** Whether a waiting version was opened, so that the page has to be loaded again. */
  const takeOver = async (): Promise<boolean> =>
    workers ? openWaitingVersion(workers, clock.after, pageLoaded).catch(() => false) : false

  /** What was typed until the new version took over is written first; text that no other place has is asked about. */
  async function reloadNow(): Promise<void> {
    await takeOver()
    await flush()
    window.location.reload()
  }

  const onNewVersion = () =>
    notices.info('A new version is ready', 'It will open the next time you reload.', {
      actions: [{ label: 'Reload now', run: () => void reloadNow() }],
    })

  /** Retried until its code is loaded: without it no failed installation would be repaired. */
  async function keepShellOf(workers: ServiceWorkerContainer): Promise<void> {
    try {
      const { keepShell } = await import('./keep-shell.ts')
      keepShell({ workers, url: workerUrl, after: clock.after, onNewVersion })
    } catch {
      clock.after(10 * LATER_MS, () => void keepShellOf(workers))
    }
  }

  return {
    takeOver,
    /** Keeps the files of this release for later visits, and asks for newer ones. */
    followReleases() {
      if (workers) clock.after(LATER_MS, () => void keepShellOf(workers))
    },
  }
}
