import { Button, TextInput } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { SecondStepAsked, SecondStepProof } from '../../domain/wire/second-step.ts'
import { SteadyButton } from '../ui/buttons/steady-button.tsx'
import { askForPasskey, offersPasskeys } from './passkey-prompt.ts'
import classes from './second-step.module.css'

type ProofFormProps = {
  asked: SecondStepAsked
  submit: string
  busy: boolean
  /** Why the code was refused. */
  fault: string | null
  /** As wide as the page, as on the pages for guests. */
  isWide?: boolean
  onProof: (proof: SecondStepProof) => void
  onCancel?: () => void
}

/** Asks for a passkey, or a code of the authenticator app, or a recovery code. */
export function ProofForm(props: ProofFormProps) {
  const { asked, submit, busy, fault, isWide = false, onProof, onCancel } = props
  const { ticket, app, passkey } = asked
  const field = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (fault !== null) field.current?.select()
  }, [fault])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    const code = field.current?.value.trim() ?? ''
    setMissing(code === '')
    if (code === '') field.current?.focus()
    else if (!busy) onProof({ ticket, code })
  }

  async function handlePasskey(options: NonNullable<SecondStepAsked['passkey']>) {
    setIsAsking(true)
    const response = await askForPasskey(options)
    setIsAsking(false)
    if (response !== null) onProof({ ticket, passkey: response })
  }

  const size = isWide ? { h: 42, fz: 16, fullWidth: true } : {}
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.form} data-wide={isWide}>
      {passkey !== null && offersPasskeys() && (
        <SteadyButton
          {...size}
          variant="default"
          loading={isAsking}
          className={classes.passkey ?? ''}
          onClick={() => void handlePasskey(passkey)}
        >
          <KeyRound size={18} strokeWidth={1.6} aria-hidden="true" />
          Use your passkey
        </SteadyButton>
      )}
      <TextInput
        ref={field}
        label={app ? 'Code of your app, or a recovery code' : 'Recovery code'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        error={missing ? 'Please enter a code.' : fault}
        onChange={() => setMissing(false)}
      />
      <div className={classes.buttons}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <SteadyButton type="submit" {...size} loading={busy}>
          {submit}
        </SteadyButton>
      </div>
    </form>
  )
}
