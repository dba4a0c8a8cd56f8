import { UnstyledButton } from '@mantine/core'
import { HardDrive } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type App, useApp } from '../app/app-context.tsx'
import { type NoticeAction, notices } from '../app/notices.ts'
import menu from './account-panel.module.css'
import classes from './storage-keeping.module.css'
import { useOffline } from './use-offline.ts'

/**
 * Whether the browser may delete what is kept on this computer, and the way to prevent it. A browser that would ask the
 * user first is asked only when the user wants it: in the account menu, or at the first time without a connection.
 */

const AT_RISK = 'This browser may delete offline work when the disk is full.'
const OFFERED_KEY = 'contun-keep-offered'

/** Whether the browser promised not to; null while it has not said. */
const keptStore = createStore<boolean | null>(() => null)

type Keeping = { kept: boolean | null; note: string; action: NoticeAction | null }

function useKeeping(): Keeping {
  const { storageManager, installOffer, installsApps } = useApp()
  const kept = useStore(keptStore)
  const offer = useStore(installOffer)
  if (kept) return { kept, note: 'This browser keeps your work.', action: null }
  if (installsApps) {
    if (offer === null) return { kept, note: `${AT_RISK} ${STILL_SENT}`, action: null }
    const action = { label: 'Install', run: () => install(installOffer) }
    return { kept, note: `${AT_RISK} Install the app to prevent that.`, action }
  }
  const ask = async () => {
    if (await keep(storageManager)) notices.success('Offline work is protected', KEPT)
    else notices.info('Offline work is not protected', REFUSED)
  }
  const note = `${AT_RISK} You can ask it to keep your work; it may then ask you to allow that.`
  return { kept, note, action: { label: 'Keep offline work', run: () => void ask() } }
}

async function keep(storageManager: App['storageManager']): Promise<boolean> {
  const kept = (await storageManager?.persist().catch(() => false)) ?? false
  keptStore.setState(kept, true)
  return kept
}

/** Opens the browser's install prompt. An offer can be used once. */
export function install(installOffer: App['installOffer']): void {
  const offer = installOffer.getState()
  installOffer.setState(null, true)
  offer?.prompt()
}

const KEPT = 'This browser will not delete it when the disk is full.'
const STILL_SENT = 'Your text is still sent whenever you are online.'
const REFUSED = `This browser did not agree to keep it. ${STILL_SENT}`

type Place =
  /** Above the entries of the account menu. */
  | { place: 'note' }
  /** An entry of it. */
  | { place: 'menu'; onPress: () => void }
  /** Any page of a signed-in user. */
  | { place: 'page' }

export function StorageKeeping(props: Place) {
  const { installsApps } = useApp()
  const keeping = useKeeping()
  if (props.place === 'page') return <OfferOnce {...keeping} />
  const { kept, note, action } = keeping
  if (props.place === 'note') return kept !== null && <p className={classes.note}>{note}</p>
  return (
    // The menu has an entry for installing while the browser offers it.
    kept === false &&
    !installsApps &&
    action && (
      <UnstyledButton
        role="menuitem"
        tabIndex={-1}
        className={menu.item}
        onClick={() => {
          props.onPress()
          action.run()
        }}
      >
        <HardDrive size={16} strokeWidth={1.6} aria-hidden="true" />
        {action.label}
      </UnstyledButton>
    )
  )
}

/**
 * Learns whether the browser keeps the work of a writer, and asks for it where it would not ask the user. Where it does
 * not keep it, says so once on each computer, at the first time offline.
 */
function OfferOnce({ kept, note, action }: Keeping) {
  const { workspace, storage, storageManager, installsApps } = useApp()
  const writes = useStore(workspace.store, ({ client }) => client !== null)
  useEffect(() => {
    if (!writes) return
    if (installsApps) void keep(storageManager)
    else
      void storageManager?.persisted().then(
        (is) => keptStore.setState(is, true),
        () => {},
      )
  }, [writes, installsApps, storageManager])

  const isDue = useOffline() && writes && kept === false && action !== null
  useEffect(() => {
    if (!isDue || storage.getItem(OFFERED_KEY) !== null) return
    notices.info('You are working offline', note, { actions: [action] })
    try {
      storage.setItem(OFFERED_KEY, 'yes')
    } catch {
      // Without room for the note it is said again at the next start.
    }
  }, [isDue, storage, note, action])
  return null
}
