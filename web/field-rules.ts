import type { FormErrors } from '@mantine/form'
import { INVALID_EMAIL, isEmail, passwordFault } from '../domain/access/user.ts'
import { NAME_MAX, WORD_MINIMUM_MAX } from '../domain/limits.ts'
import { CONTROLS, cleanName, OVERRIDES } from '../domain/names/name.ts'
import { VISIBLE } from '../domain/text/characters.ts'

/** What is said below a field; null when its value may be sent (spec section 5). */
export type Rule<Value> = (value: Value) => string | null

/** The default message of the forms. `field` is the label. */
const invalid = (field: string): string => `${field} is not valid.`

export const nameRule =
  (field: string): Rule<string> =>
  (name) =>
    faultOfName(cleanName(name), field)

function faultOfName(name: string, field: string): string | null {
  if (OVERRIDES.test(name)) {
    return `${field} has hidden characters that change the direction of its text. Please type it again.`
  }
  const isValid = VISIBLE.test(name) && name.length <= NAME_MAX && !CONTROLS.test(name)
  return isValid ? null : invalid(field)
}

export const emailRule: Rule<string> = (email) => (isEmail(email) ? null : INVALID_EMAIL)

export const passwordRule: Rule<string> = passwordFault

/** For an existing password: only the server knows whether it is right. */
export const filledRule =
  (field: string): Rule<string> =>
  (text) =>
    text === '' ? invalid(field) : null

export const wordMinimumRule: Rule<string> = (text) =>
  /^\d+$/.test(text.trim()) && Number(text) <= WORD_MINIMUM_MAX
    ? null
    : invalid('Minimum Word Count')

/** After a press of the button the first field that needs a hand gets the focus. */
export function focusFirstFault(
  form: { getInputNode: (path: string) => HTMLElement | null },
  errors: FormErrors,
): void {
  const [first] = Object.keys(errors)
  if (first !== undefined) form.getInputNode(first)?.focus()
}
