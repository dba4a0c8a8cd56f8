import { createHmac } from 'node:crypto'
import { timingSafeEqual } from '../accounts/timing-safe-equal.ts'
import type { Deps } from '../deps.ts'

/**
 * The links in mails by which their reader stops them without logging in. The key in them is derived from the account, so
 * that the link of an old mail works too; it gives no other right.
 */

const KEY = /^([\da-f]{32})([\w-]{43})$/

/** `stopUrl` is a page, and takes the POST of a mail program (RFC 8058). */
export function stopLinks(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  userId: string,
): { changeUrl: string; stopUrl: string } {
  const { publicUrl } = config
  return {
    changeUrl: `${publicUrl}/client/profile`,
    stopUrl: `${publicUrl}/mails/stop?key=${stopKey(keys, userId)}`,
  }
}

export const stopKey = ({ stopMails }: Pick<Deps['keys'], 'stopMails'>, userId: string): string =>
  `${userId.replaceAll('-', '')}${createHmac('sha256', stopMails).update(userId).digest('base64url')}`

/** The id of the account that the key was made for; null for any other text. */
export function userOfStopKey(keys: Pick<Deps['keys'], 'stopMails'>, key = ''): string | null {
  const [, digits = ''] = KEY.exec(key) ?? []
  if (digits === '') return null
  const userId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(stopKey(keys, userId), key) ? userId : null
}
