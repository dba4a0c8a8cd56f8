import { EMAIL_MAX } from './limits.ts'

/** Said below every e-mail field (spec section 5). */
export const INVALID_EMAIL = 'Must be a valid e-mail.'

/**
 * ASCII only, before any change of case: letters of other scripts that look like these, or become these in
 * lower case, would claim somebody else's address.
 */
export const EMAIL_PATTERN = /^[A-Za-z0-9_.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/

/** Whether the text, trimmed, is an e-mail address. */
export function isEmail(text: string): boolean {
  const email = text.trim()
  return email.length <= EMAIL_MAX && EMAIL_PATTERN.test(email)
}
