import '@mantine/core/styles/ActionIcon.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import classes from './row-action.module.css'

type RowActionProps = {
  icon: LucideIcon
  /** What it does to what: 'Delete {name}'. */
  label: string
  danger?: boolean
  disabled?: boolean
  /** While true, presses are ignored and the focus stays. */
  loading?: boolean
  onClick: () => void
}

/** One thing to do with a row of a table. Its name stays there for screen readers when it is disabled. */
export function RowAction(props: RowActionProps) {
  const { icon: Icon, label, danger = false, disabled = false, loading = false } = props
  return (
    <Tooltip label={label} maw={320} multiline>
      <ActionIcon
        variant="subtle"
        size={30}
        className={classes.action ?? ''}
        data-danger={danger}
        aria-label={label}
        disabled={disabled}
        loading={loading}
        // `loading` alone would disable the button, and a disabled one loses the focus.
        renderRoot={(root) => <button {...root} disabled={disabled} />}
        onClick={() => {
          if (!loading) props.onClick()
        }}
      >
        <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
