import { Title } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { SteadyButton } from '../../ui/steady-button.tsx'
import classes from './guest-page.module.css'

type GuestFormProps = {
  title: string
  lead?: string
  submit: string
  busy: boolean
  disabled?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** The fields, and what stands between them and the button. */
  children: ReactNode
  beforeSubmit?: ReactNode
  below?: ReactNode
}

/** Title, fields, one button: the shape of every guest page that asks for something. */
export function GuestForm(props: GuestFormProps) {
  return (
    <>
      <Title order={1} className={classes.title}>
        {props.title}
      </Title>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!props.busy) props.onSubmit(event)
        }}
      >
        <div className={classes.fields}>{props.children}</div>
        {props.beforeSubmit}
        <SteadyButton
          type="submit"
          fullWidth
          h={42}
          fz={16}
          loading={props.busy}
          disabled={props.disabled ?? false}
          className={classes.submit}
          data-close={props.beforeSubmit !== undefined}
        >
          {props.submit}
        </SteadyButton>
      </form>
      {props.below && <div className={classes.below}>{props.below}</div>}
    </>
  )
}
