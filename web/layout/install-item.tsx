import { UnstyledButton } from '@mantine/core'
import { MonitorDown } from 'lucide-react'
import { useStore } from 'zustand'
import { useApp } from '../app/app-context.tsx'
import menu from './account-panel.module.css'
import { install } from './storage-keeping.tsx'

/** An entry of the account menu, while the browser offers to install the app. */
export function InstallItem({ onPress }: { onPress: () => void }) {
  const { installOffer } = useApp()
  const offer = useStore(installOffer)
  if (offer === null) return null
  return (
    <UnstyledButton
      role="menuitem"
      tabIndex={-1}
      className={menu.item}
      onClick={() => {
        onPress()
        install(installOffer)
      }}
    >
      <MonitorDown size={16} strokeWidth={1.6} aria-hidden="true" />
      Install the app
    </UnstyledButton>
  )
}
