import { Button, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { SecondStep } from '../../domain/wire/second-step.ts'
import type { User } from '../../domain/wire/users.ts'
import { useDates } from '../app/use-dates.ts'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { AppSetup } from './app-setup.tsx'
import { offersPasskeys } from './passkey-prompt.ts'
import { PasswordForm } from './password-form.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import classes from './second-step.module.css'
import { type Flow, useSecondStep } from './use-second-step.ts'

/** Two-step login in Edit Account. `className` is that of its cards. */
export function AccountCard({ user, className }: { user: User; className: string }) {
  const flow = useSecondStep(user)
  const title = useRef<HTMLHeadingElement>(null)
  const { kind } = flow.step
  const shown = useRef(kind)
  useEffect(() => {
    // The part of the card that had the focus is gone; forms take it themselves.
    if (shown.current !== kind && (kind === 'list' || kind === 'codes')) title.current?.focus()
    shown.current = kind
  }, [kind])
  return (
    <section className={className} aria-labelledby="two-step-login">
      <Title order={2} id="two-step-login" className={classes.heading} ref={title} tabIndex={-1}>
        Two-step login
      </Title>
      <CardStep flow={flow} user={user} />
    </section>
  )
}

function CardStep({ flow, user }: { flow: Flow; user: User }) {
  const { step, busy, fault } = flow
  switch (step.kind) {
    case 'list':
      return <SecondSteps flow={flow} />
    case 'password':
      return (
        <PasswordForm
          email={user.email}
          isForPasskey={step.add === 'passkey'}
          busy={busy}
          fault={fault}
          onSubmit={(entries) => void flow.begin(step.add, entries)}
          onCancel={flow.stop}
        />
      )
    case 'app':
      return (
        <AppSetup
          {...step.app}
          busy={busy}
          fault={fault}
          onCode={(code) => void flow.confirmApp(code)}
          onCancel={flow.stop}
        />
      )
    case 'proof':
      return (
        <div className={classes.step}>
          <p>{step.lead}</p>
          <ProofForm
            asked={step.asked}
            submit={step.submit}
            busy={busy}
            fault={fault}
            onProof={(proof) => void flow.prove(step, proof)}
            onCancel={flow.stop}
          />
        </div>
      )
    case 'codes':
      return <RecoveryCodeList codes={step.codes} onDone={flow.stop} />
  }
}

function SecondSteps({ flow }: { flow: Flow }) {
  const { state } = flow
  if (state === null) return <p className={classes.text}>Loading…</p>
  if (state === 'failed')
    return (
      <p className={classes.text}>
        Couldn’t load two-step login.{' '}
        <TextButton onClick={() => void flow.read()}>Try again</TextButton>
      </p>
    )
  const isOn = state.appAddedAt !== null || state.passkeys.length > 0
  return (
    <>
      <p className={classes.text}>
        {isOn
          ? 'On. New devices need one of these after the password, and are asked again every 30 days.'
          : 'Off. With it, logging in on a new device needs a passkey or a code of an authenticator app after the password, so that a stolen password is not enough.'}
      </p>
      {isOn && <Rows flow={flow} state={state} />}
      <div className={classes.buttons}>
        {offersPasskeys() && (
          <Button variant="default" onClick={() => flow.ask('passkey')}>
            Add a passkey…
          </Button>
        )}
        {state.appAddedAt === null && (
          <Button variant="default" onClick={() => flow.ask('app')}>
            Add an authenticator app…
          </Button>
        )}
      </div>
    </>
  )
}

function Rows({ flow, state }: { flow: Flow; state: SecondStep }) {
  const { date } = useDates()
  const { appAddedAt, passkeys, recoveryCodesLeft } = state
  return (
    <ul className={classes.list}>
      {appAddedAt !== null && (
        <Row
          name="Authenticator app"
          detail={`Added ${date(appAddedAt)}`}
          action="Remove…"
          onAction={() => void flow.askToRemove('app', 'the authenticator app')}
        />
      )}
      {passkeys.map(({ id, name, addedAt, usedAt }) => (
        <Row
          key={id}
          name={name}
          detail={`Passkey, added ${date(addedAt)}${usedAt === null ? '' : `, last used ${date(usedAt)}`}`}
          action="Remove…"
          onAction={() => void flow.askToRemove(id, `the passkey ‘${name}’`)}
        />
      ))}
      <Row
        name="Recovery codes"
        detail={`${recoveryCodesLeft} of 10 left. Each works once, where you have neither passkey nor app at hand.`}
        action="New codes…"
        onAction={() => void flow.askForCodes()}
      />
    </ul>
  )
}

type RowProps = { name: string; detail: string; action: string; onAction: () => void }

function Row({ name, detail, action, onAction }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>{name}</div>
        <div className={classes.detail}>{detail}</div>
      </div>
      <Button variant="default" aria-label={`${action} ${name}`} onClick={onAction}>
        {action}
      </Button>
    </li>
  )
}
