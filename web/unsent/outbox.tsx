import type { ReactNode, Ref } from 'react'
import { once } from '../app/once.ts'
import { PanelButton } from '../ui/buttons/panel-button.tsx'
import classes from './outbox.module.css'

const fetchChanges = once(async () => (await import('./waiting-changes.tsx')).WaitingChanges)

type OutboxProps = {
  position: 'top-start' | 'bottom-end'
  /** Says more of what the button says. */
  description?: string | undefined
  /** The line that is pressed. */
  children: ReactNode
}

/** A line about where the text is; pressed, it lists every change that the agency does not have. */
export function Outbox({ position, description, children }: OutboxProps) {
  return (
    <PanelButton
      place={position}
      width={420}
      offset={8}
      className={classes.line}
      title={description}
      aria-haspopup="dialog"
      panelClass={classes.panel ?? ''}
      apart
      panelProps={{ role: 'dialog', 'aria-label': 'Changes on their way' }}
      fetchPanel={fetchChanges}
      panel={(WaitingChanges) => (
        <div ref={focus} tabIndex={-1} className={classes.content}>
          {WaitingChanges ? <WaitingChanges /> : <p className={classes.nothing}>Loading…</p>}
        </div>
      )}
    >
      {children}
    </PanelButton>
  )
}

const focus: Ref<HTMLDivElement> = (content) => content?.focus()
