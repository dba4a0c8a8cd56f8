import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useMemo, useRef } from 'react'
import { encode } from 'uqr'
import type { AppSecret } from '../../domain/wire/second-step.ts'
import { SteadyButton } from '../ui/buttons/steady-button.tsx'
import classes from './second-step.module.css'

type AppSetupProps = AppSecret & {
  busy: boolean
  fault: string | null
  onCode: (code: string) => void
  onCancel: () => void
}

/** Shows the secret for an authenticator app, and asks for its first code. */
export function AppSetup({ secret, address, busy, fault, onCode, onCancel }: AppSetupProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (fault !== null) field.current?.select()
  }, [fault])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    const code = field.current?.value.trim() ?? ''
    if (code === '') field.current?.focus()
    else if (!busy) onCode(code)
  }

  return (
    <div className={classes.step}>
      <div className={classes.scan}>
        <QrCode text={address} />
        <div>
          <p>Scan this with your authenticator app, or enter this key there:</p>
          <p className={classes.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</p>
        </div>
      </div>
      <form noValidate onSubmit={handleSubmit} className={classes.form}>
        <TextInput
          ref={field}
          label="Code that the app shows"
          inputMode="numeric"
          autoComplete="one-time-code"
          error={fault}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SteadyButton type="submit" loading={busy}>
            Turn on
          </SteadyButton>
        </div>
      </form>
    </div>
  )
}

/** Light modules around the code that readers need. */
const QUIET_ZONE = 4

function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: QUIET_ZONE })
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size, path: squares.join('') }
  }, [text])
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code with the key"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
