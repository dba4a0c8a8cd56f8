import { type MantineColorScheme, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import classes from './schemes.module.css'

const SCHEMES: { value: MantineColorScheme; name: string; icon: LucideIcon }[] = [
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
  { value: 'auto', name: 'System', icon: Monitor },
]

/** Kept in this browser; start-guard.ts reads it before anything is drawn. */
export function Schemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set is no part of a menu
    <div role="group" aria-label="Appearance" className={classes.schemes}>
      {SCHEMES.map(({ value, name, icon: Icon }) => (
        <UnstyledButton
          key={value}
          role="menuitemradio"
          aria-checked={value === colorScheme}
          tabIndex={-1}
          className={classes.scheme}
          onClick={() => setColorScheme(value)}
        >
          <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
          {name}
        </UnstyledButton>
      ))}
    </div>
  )
}
