import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { ProgramToken } from '../../../../domain/wire/program-tokens.ts'
import { useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { counted } from '../../../ui/words/figure.ts'
import { AskingRow } from '../access-row.tsx'
import { useChange } from '../use-change.ts'
import { useProgramTokens } from '../use-remote.ts'
import classes from './program-access.module.css'

/** More clients than fit into two lines become a number. */
const NAMED_MAX = 3

export function TokenRow({ token }: { token: ProgramToken }) {
  const tokens = useProgramTokens()
  const { user } = useSignedIn()
  const [asked, setAsked] = useState(false)
  const stop = useCallback(() => setAsked(false), [])
  const revoking = useChange<void>({
    call: () => tokens.revoke(token.id),
    failure: 'Error revoking the access token',
    onDone: () => notices.success('Access token revoked', `${token.name} no longer has access.`),
  })
  const taking = useChange<void>({
    call: () => tokens.takeOver(token.id),
    failure: 'Error taking over the access token',
    onDone: () => notices.success('Access token taken over', `You are the owner of ${token.name}.`),
  })
  return (
    <AskingRow
      title={token.name}
      text={<About token={token} />}
      question="Revoke it? Programs that use it lose access immediately."
      asked={asked}
      onStop={stop}
      answer={
        <SteadyButton color="red" loading={revoking.busy} onClick={() => revoking.make()}>
          Revoke
        </SteadyButton>
      }
      buttons={(leaves) => (
        <div ref={leaves} className={classes.buttons}>
          {token.owner.id !== user.id && (
            <SteadyButton
              variant="default"
              loading={taking.busy}
              aria-label={`Take over ${token.name}`}
              onClick={() => taking.make()}
            >
              Take over
            </SteadyButton>
          )}
          <Button
            variant="default"
            aria-label={`Revoke ${token.name}…`}
            onClick={() => setAsked(true)}
          >
            Revoke…
          </Button>
        </div>
      )}
    />
  )
}

function About({ token }: { token: ProgramToken }) {
  const { date, dayName } = useDates()
  const { clients, state, owner, expiresAt, lastUsedOn } = token
  const names = clients.map(({ name }) => name)
  const rest = names.length - NAMED_MAX
  const shown = rest > 0 ? [...names.slice(0, NAMED_MAX), counted(rest, 'other client')] : names
  return (
    <>
      <span className={classes.line}>{enumerated(shown)}</span>
      <span className={classes.line}>
        {state === 'expired' ? 'Expired' : 'Expires'} {date(expiresAt)}
        {' · '}
        {lastUsedOn === null ? 'not used yet' : `last used ${dayName(lastUsedOn, null)}`}
        {' · owner '}
        <bdi>{owner.name}</bdi>
      </span>
      {state === 'without-admin' && (
        <span className={classes.line}>
          It does not work, because its owner is no longer an admin. Take it over to use it again.
        </span>
      )}
    </>
  )
}
