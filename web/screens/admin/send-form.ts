import type { UseFormReturnType } from '@mantine/form'
import { focusFirstFault } from '../../field-rules.ts'

/** Returns a submit handler: calls `send` with valid values, or focuses the first invalid field. */
export const sending =
  <Values>(form: UseFormReturnType<Values>, send: (values: Values) => void) =>
  (): void =>
    form.onSubmit(send, (errors) => focusFirstFault(form, errors))()
