/** Signs that make a mail program take a word for an address. */
const IN_ADDRESS = /[.:@/](?=[^\s.:@/])/g
/** The narrowest blank: unlike a character of no width, it ends an address for every program. */
const HAIR_SPACE = '\u200a'

/**
 * What a user wrote, with a hair space behind each sign of an address, so that no mail program turns it into a link. Times
 * such as 18:26 stay as they are.
 */
export const withoutLinks = (text: string): string =>
  text.replace(IN_ADDRESS, (sign, at: number) =>
    /^\d:\d/.test(text.slice(at - 1, at + 2)) ? sign : `${sign}${HAIR_SPACE}`,
  )
