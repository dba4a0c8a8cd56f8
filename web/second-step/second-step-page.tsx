import { Title, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { SecondStepAsked, SecondStepProof } from '../../domain/wire/second-step.ts'
import { useApp, usePageTitle, useSend } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { Refused } from '../remote/http.ts'
import { enterSecondStep } from '../remote/second-step.ts'
import { ProofForm } from './proof-form.tsx'
import classes from './second-step.module.css'

type SecondStepPageProps = { asked: SecondStepAsked; onBack: () => void }

/** The page after the password of an account with two-step login. */
export function SecondStepPage({ asked, onBack }: SecondStepPageProps) {
  usePageTitle('Two-step login')
  const send = useSend()
  const { sessions } = useApp()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  /** The guard leads on as soon as there is a session. */
  async function enter(proof: SecondStepProof) {
    setBusy(true)
    setFault(null)
    try {
      sessions.write(await enterSecondStep(send, proof))
    } catch (error) {
      setBusy(false)
      const reason = error instanceof Refused ? error.reason : undefined
      if (reason === 'wrong_code' && error instanceof Error) return setFault(error.message)
      notices.fail('Error Logging in', error)
      if (reason === 'ticket_over') onBack()
    }
  }

  return (
    <>
      <Title order={1} className={classes.pageTitle}>
        Two-step login
      </Title>
      <p className={classes.lead}>{leadFor(asked)}</p>
      <ProofForm
        asked={asked}
        submit="Log in"
        busy={busy}
        fault={fault}
        isWide
        onProof={(proof) => void enter(proof)}
      />
      <p className={classes.back}>
        <UnstyledButton className={classes.link} onClick={onBack}>
          Back to login
        </UnstyledButton>
      </p>
    </>
  )
}

function leadFor({ app, passkey }: SecondStepAsked): string {
  if (passkey === null)
    return 'Your authenticator app shows a code for this account. Enter it here.'
  const otherwise = app ? 'enter the code of your authenticator app' : 'enter a recovery code'
  return `Use the passkey of your account, or ${otherwise}.`
}
