import { Button } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import { firstName } from '../../domain/access/session.ts'
import type { SecondStep } from '../../domain/wire/second-step.ts'
import type { User } from '../../domain/wire/users.ts'
import { useSend } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { createSecondStepCalls } from '../remote/second-step.ts'
import { AskingRow } from '../screens/admin/access-row.tsx'
import { useChange } from '../screens/admin/use-change.ts'
import classes from '../screens/admin/users/account-access.module.css'
import { SteadyButton } from '../ui/buttons/steady-button.tsx'
import { useAbortableEffect } from '../ui/use-abortable-effect.ts'

type Known = 'loading' | 'unknown' | 'on' | 'off' | 'removed'

/** Two-step login of another user, which admins can only remove. Nothing for an account without it. */
export function TwoStepRow({ user }: { user: User }) {
  const send = useSend()
  const calls = useMemo(() => createSecondStepCalls(send, user.id), [send, user.id])
  const [known, setKnown] = useState<Known>('loading')
  const [asked, setAsked] = useState(false)
  const stop = useCallback(() => setAsked(false), [])
  useAbortableEffect(
    (signal) => {
      const show = (next: Known) => {
        if (!signal.aborted) setKnown(next)
      }
      calls.read().then(
        (state) => show(isOn(state) ? 'on' : 'off'),
        () => show('unknown'),
      )
      return undefined
    },
    [calls],
  )
  const { busy, make } = useChange<void>({
    call: calls.removeAll,
    failure: 'Error modifying user',
    onDone: () => {
      notices.success(
        'Two-step login removed',
        `${user.name} can now log in with only the password.`,
      )
      setKnown('removed')
      stop()
    },
  })

  if (known === 'loading' || known === 'off') return null
  return (
    <AskingRow
      title="Two-step login"
      text={textOf(known, firstName(user.name))}
      question={`Remove it? ${firstName(user.name)} then logs in with only the password.`}
      asked={asked}
      onStop={stop}
      answer={
        <SteadyButton variant="default" loading={busy} onClick={() => make()}>
          Remove
        </SteadyButton>
      }
      buttons={(leaves) =>
        known === 'on' && (
          <Button
            ref={leaves}
            variant="default"
            className={classes.button}
            onClick={() => setAsked(true)}
          >
            Remove…
          </Button>
        )
      }
    />
  )
}

const isOn = ({ appAddedAt, passkeys }: SecondStep): boolean =>
  appAddedAt !== null || passkeys.length > 0

function textOf(known: 'unknown' | 'on' | 'removed', name: string): string {
  switch (known) {
    case 'unknown':
      return 'Couldn’t load this. Close the window and open it again.'
    case 'on':
      return `On. Remove it if ${name} can’t log in without it.`
    case 'removed':
      return `Off. ${name} can turn it on in Edit Account.`
  }
}
