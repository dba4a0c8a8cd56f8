import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type SteadyButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'disabled'>

/** A button that, while loading, ignores presses and keeps the focus. */
export function SteadyButton({ loading = false, disabled = false, ...props }: SteadyButtonProps) {
  return (
    <Button
      {...props}
      loading={loading}
      disabled={disabled}
      // `loading` alone would disable the button, and a disabled one loses the focus.
      renderRoot={(root) => (
        <button {...root} disabled={disabled} aria-disabled={loading || undefined} />
      )}
      onClick={(event) => {
        if (loading) event.preventDefault()
        else props.onClick?.(event)
      }}
    />
  )
}
