import { useForm } from '@mantine/form'
import type { FormEvent } from 'react'
import { focusFirstFault, type Rule } from '../../field-rules.ts'

type Values = Record<string, string>

/**
 * A form with uncontrolled fields, which begin with the values of `initial`. Password managers fill fields without an
 * event, so the values are read from the DOM on submit.
 */
export function useGuestForm<Fields extends Values>(
  rules: { [Field in keyof Fields]: Rule<string> },
  initial: Partial<Fields> = {},
) {
  const empty = Object.fromEntries(Object.keys(rules).map((field) => [field, '']))
  const initialValues: Values = { ...empty, ...initial }
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues, validate: rules })
  return {
    form,
    /** For the form element: calls `send` with the values when all of them are valid. */
    sent: (send: (values: Fields) => void) => (event: FormEvent<HTMLFormElement>) => {
      form.setValues(valuesIn(event.currentTarget))
      form.onSubmit(
        (values) => send(values as Fields),
        (errors) => focusFirstFault(form, errors),
      )(event)
    },
  }
}

/** Values by the field paths that the form assigned. */
const valuesIn = (form: HTMLFormElement): Values =>
  Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>('input[data-path]')].map((field) => [
      field.dataset.path ?? '',
      field.value,
    ]),
  )
