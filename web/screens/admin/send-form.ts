import type { UseFormReturnType } from '@mantine/form'
import { focusFirstFault } from '../../field-rules.ts'

/** For the button of a form: sends its values when all of them are valid. */
export const sending =
  <Values>(form: UseFormReturnType<Values>, send: (values: Values) => void) =>
  (): void =>
    form.onSubmit(send, (errors) => focusFirstFault(form, errors))()
