import { ActionIcon, Tooltip } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import classes from './row-action.module.css'

type RowActionProps = {
  icon: LucideIcon
  /** What it does to what: 'Delete {name}'. */
  label: string
  danger?: boolean
  disabled?: boolean
  loading?: boolean
  onClick: () => void
}

/** One thing to do with a row of a table. Its name stays there for screen readers when it is disabled. */
export function RowAction({ icon: Icon, label, danger = false, ...button }: RowActionProps) {
  return (
    <Tooltip label={label} maw={320} multiline>
      <ActionIcon
        variant="subtle"
        size={30}
        className={classes.action ?? ''}
        data-danger={danger}
        aria-label={label}
        {...button}
      >
        <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
