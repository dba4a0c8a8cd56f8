import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts'
import { normalised, trimUnseen } from '../names/name.ts'

/** Shown below every e-mail field (spec section 5). */
export const INVALID_EMAIL = 'Must be a valid e-mail.'

/**
 * ASCII only, before any change of case: letters of other scripts that look like these, or become these in lower case,
 * would claim the address of another account.
 */
export const EMAIL_PATTERN = /^[A-Za-z0-9_.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/

/** Whether the text, trimmed, is an e-mail address. */
export function isEmail(text: string): boolean {
  const email = trimUnseen(text)
  return email.length <= EMAIL_MAX && EMAIL_PATTERN.test(email)
}

export const PASSWORD_TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters.`
export const PASSWORD_TOO_LONG = `Password must be at most ${PASSWORD_MAX} characters.`

/** The password in NFC: keyboards and systems type `é` as one code point or as two (Q19). */
export const passwordText = (typed: string): string => normalised(typed, PASSWORD_MAX)

/** The fault of a new password; null when it is valid (Q19). */
export function passwordFault(password: string): string | null {
  const { length } = passwordText(password)
  if (length < PASSWORD_MIN) return PASSWORD_TOO_SHORT
  return length > PASSWORD_MAX ? PASSWORD_TOO_LONG : null
}
