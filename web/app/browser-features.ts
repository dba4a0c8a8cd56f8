import { createStore } from 'zustand/vanilla'
import { DEVICE_DATABASE } from '../../sync/device/device-name.ts'
import type { Clock } from '../../sync/ports.ts'
import type { App, InstallOffer } from './app-context.tsx'

type Options = {
  window: Window
  navigator: Navigator
  storage: Storage
  clock: Pick<Clock, 'after'>
}

type Features = Pick<
  App,
  | 'wasUsedHere'
  | 'storageManager'
  | 'installsApps'
  | 'installOffer'
  | 'showBadge'
  | 'shownAnyway'
  | 'showAnyway'
  | 'saveFile'
>

const SHOWN_ANYWAY_KEY = 'contun-shown-anyway'
/** The URL of a saved file stays valid this long, because a browser may ask first whether or where to save it. */
const FILE_KEPT_MS = 300_000

/** What screens use of the browser itself. */
export function browserFeatures({ window, navigator, storage, clock }: Options): Features {
  const shownAnyway = createStore(() => storage.getItem(SHOWN_ANYWAY_KEY) !== null)
  return {
    async wasUsedHere() {
      // The call may never settle while the browser is clearing its data.
      const later = new Promise<null>((resolve) => clock.after(2_000, () => resolve(null)))
      const listed = window.indexedDB.databases?.().catch(() => null)
      const databases = await Promise.race([listed, later])
      return databases?.some(({ name }) => name === DEVICE_DATABASE) ?? true
    },
    storageManager: navigator.storage,
    installsApps: 'onbeforeinstallprompt' in window,
    installOffer: followInstallOffer(window),
    showBadge:
      window.matchMedia('(display-mode: standalone)').matches && 'setAppBadge' in navigator
        ? (count) => void navigator.setAppBadge(count).catch(() => {})
        : null,
    shownAnyway,
    showAnyway(wanted) {
      if (shownAnyway.getState() === wanted) return
      shownAnyway.setState(wanted, true)
      if (wanted) storage.setItem(SHOWN_ANYWAY_KEY, 'yes')
      else storage.removeItem(SHOWN_ANYWAY_KEY)
    },
    saveFile(name, content) {
      const url = URL.createObjectURL(
        typeof content === 'string'
          ? new Blob([content], { type: 'text/plain;charset=utf-8' })
          : content,
      )
      const link = window.document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      clock.after(FILE_KEPT_MS, () => URL.revokeObjectURL(url))
    },
  }
}

function followInstallOffer(window: Window) {
  const offer = createStore<InstallOffer | null>(() => null)
  window.addEventListener('beforeinstallprompt', (event) =>
    offer.setState(event as unknown as InstallOffer, true),
  )
  window.addEventListener('appinstalled', () => offer.setState(null, true))
  return offer
}
