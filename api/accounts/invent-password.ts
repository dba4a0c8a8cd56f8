/** Crockford's base 32: no letter that is mistaken for another when it is copied from a screen. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PASSWORD_LENGTH = 20

/** 100 random bits in four groups of five, to be shown once and changed soon. */
export function inventPassword(randomBytes: (count: number) => Uint8Array): string {
  const letters = [...randomBytes(PASSWORD_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{5}(?=.)/g, '$&-')
}
