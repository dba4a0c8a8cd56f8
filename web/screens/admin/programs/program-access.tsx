import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { NewProgramToken, ProgramToken } from '../../../../domain/wire/program-tokens.ts'
import { useFocusFallback } from '../../../ui/focus-fallback.ts'
import { AccessRows } from '../access-row.tsx'
import { useProgramTokens } from '../use-remote.ts'
import { CreateToken } from './create-token.tsx'
import { NewToken } from './new-token.tsx'
import classes from './program-access.module.css'
import { TokenRow } from './token-row.tsx'

type Step = { name: 'list' } | { name: 'create' } | { name: 'created'; made: NewProgramToken }

/** The tokens with which programs read what was handed in. */
export function ProgramAccess({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ name: 'list' })
  const showList = () => setStep({ name: 'list' })
  if (step.name === 'create') {
    return (
      <CreateToken onCancel={showList} onCreated={(made) => setStep({ name: 'created', made })} />
    )
  }
  if (step.name === 'created') return <NewToken made={step.made} onDone={showList} />
  return <Tokens onClose={onClose} onCreate={() => setStep({ name: 'create' })} />
}

function Tokens({ onClose, onCreate }: { onClose: () => void; onCreate: () => void }) {
  const tokens = useProgramTokens()
  const { data, isError, refetch } = useQuery({
    queryKey: ['program-tokens'],
    queryFn: tokens.list,
    meta: { failure: 'Error retrieving access tokens' },
  })
  const actions = useRef<HTMLDivElement>(null)
  const leaves = useFocusFallback(actions)
  const create = useRef<HTMLButtonElement>(null)
  useEffect(() => create.current?.focus(), [])
  return (
    <>
      <div className={classes.scroll}>
        <p className={classes.lead}>
          A program with an access token, such as a website, can read the articles that were handed
          in for its clients. It cannot change anything.
        </p>
        {data === undefined ? (
          <p className={classes.none}>
            {isError ? 'Couldn’t load access tokens.' : 'Loading…'}
            {isError && <Button onClick={() => void refetch()}>Try again</Button>}
          </p>
        ) : (
          <List tokens={data} leaves={leaves} />
        )}
      </div>
      <div ref={actions} className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <Button ref={create} onClick={onCreate} data-autofocus>
          New token
        </Button>
      </div>
    </>
  )
}

type ListProps = {
  tokens: readonly ProgramToken[]
  /** The focus of a row that goes away moves to the buttons of the dialog. */
  leaves: ReturnType<typeof useFocusFallback>
}

function List({ tokens, leaves }: ListProps) {
  if (tokens.length === 0) return <p className={classes.none}>No access tokens yet</p>
  return (
    <>
      <AccessRows>
        {tokens.map((token) => (
          <div key={token.id} ref={leaves} className={classes.row}>
            <TokenRow token={token} />
          </div>
        ))}
      </AccessRows>
      <p className={classes.note}>
        A token is deleted with the account of its owner, unless another admin takes it over first.
      </p>
    </>
  )
}
