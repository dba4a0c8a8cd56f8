/** Crockford's base 32: it has no letters that are easily confused when a password is copied from a screen. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PASSWORD_LENGTH = 20

/** 100 random bits as four groups of five letters, to be shown once and then changed by the user. */
export function generatePassword(randomBytes: (count: number) => Uint8Array): string {
  const letters = [...randomBytes(PASSWORD_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{5}(?=.)/g, '$&-')
}
