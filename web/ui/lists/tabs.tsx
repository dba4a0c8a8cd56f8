import { UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'

type TabsProps<Name extends string> = {
  /** Names the tabs as a whole. */
  label: string
  names: readonly Name[]
  chosen: Name
  choose: (name: Name) => void
  panelId: string
  /** Styles of the list and of each tab. */
  classes: { tabs?: string | undefined; tab?: string | undefined }
}

/** One tab stop; the arrow keys choose the next tab. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, names, chosen, choose, panelId, classes } = props
  const list = useRef<HTMLDivElement>(null)

  function handleKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = (names.indexOf(chosen) + step + names.length) % names.length
    const name = names[at]
    if (name === undefined) return
    event.preventDefault()
    choose(name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }

  return (
    <div
      ref={list}
      className={classes.tabs}
      role="tablist"
      aria-label={label}
      onKeyDown={handleKeyDown}
    >
      {names.map((name) => (
        <UnstyledButton
          key={name}
          className={classes.tab ?? ''}
          role="tab"
          aria-selected={name === chosen}
          aria-controls={name === chosen ? panelId : undefined}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
        >
          {name}
        </UnstyledButton>
      ))}
    </div>
  )
}
