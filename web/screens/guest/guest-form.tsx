import { Title } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useNotices } from '../../app/notices.ts'
import { SteadyButton } from '../../ui/buttons/steady-button.tsx'
import classes from './guest-page.module.css'

type GuestFormProps = {
  title: string
  lead?: ReactNode
  submit: string
  busy: boolean
  disabled?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** The fields, and what is between them and the button. */
  children: ReactNode
  beforeSubmit?: ReactNode
  below?: ReactNode
  /** Id of what describes the first field, where it is on the page. */
  why?: string
}

/** The first field that is empty gets the focus as soon as the page is shown. */
function useFirstField(why: string | undefined) {
  const fields = useRef<HTMLDivElement>(null)
  const isShown = useNotices(({ loading }) => !loading)
  useEffect(() => {
    if (!isShown) return
    const inputs = [...(fields.current?.querySelectorAll('input') ?? [])]
    const first = inputs.find(({ value, disabled }) => value === '' && !disabled)
    if (!first) return
    // The fields themselves take no description but their hint and their error.
    if (why && document.getElementById(why)) first.setAttribute('aria-describedby', why)
    first.focus({ preventScroll: true })
  }, [isShown, why])
  return fields
}

/** Title, fields, one button: the shape of every guest page that asks for something. */
export function GuestForm(props: GuestFormProps) {
  const fields = useFirstField(props.why)
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
        <div ref={fields} className={classes.fields}>
          {props.children}
        </div>
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
