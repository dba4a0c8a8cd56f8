import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { stepped } from './stepped.ts'
import classes from './whole-number-field.module.css'

type WholeNumberFieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** The text as typed: no character is dropped, so that 3.5 does not become 35. */
  value: string
  max: number
  onChange: (text: string) => void
}

/** A number from 0, typed or stepped by the arrows. The form says when the text is none. */
export function WholeNumberField({ value, max, onChange, ...props }: WholeNumberFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const step = (by: 1 | -1) => onChange(stepped(value, by, max))

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }

  const press = (by: 1 | -1) => (event: PointerEvent) => {
    event.preventDefault()
    input.current?.focus()
    step(by)
  }

  return (
    <TextInput
      ref={input}
      inputMode="numeric"
      autoComplete="off"
      rightSectionWidth={25}
      rightSection={
        // By keys there are the arrows.
        <div className={classes.steps} aria-hidden="true">
          <UnstyledButton tabIndex={-1} className={classes.step ?? ''} onPointerDown={press(1)}>
            <ChevronUp size={14} strokeWidth={1.7} />
          </UnstyledButton>
          <UnstyledButton tabIndex={-1} className={classes.step ?? ''} onPointerDown={press(-1)}>
            <ChevronDown size={14} strokeWidth={1.7} />
          </UnstyledButton>
        </div>
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={handleKeyDown}
      {...props}
    />
  )
}
