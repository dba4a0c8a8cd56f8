import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** A pair of keys (Ed25519) that signs receipts. */
export type ReceiptKey = {
  /** Counts the keys of this installation from 1. */
  number: number
  /** The 32 bytes of the public key in base64url, as `x` of a JSON Web Key. */
  publicKey: string
  privateKey: KeyObject
}

/**
 * Derives a key from the secret, so that all nodes and every restored backup have the same one, and no database has a
 * private key.
 */
export function receiptKey(seed: Uint8Array, number: number): ReceiptKey {
  const secret = createHmac('sha256', seed).update(String(number)).digest()
  const der = Buffer.concat([PKCS8_OF_ED25519, secret])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { number, publicKey: x, privateKey }
}

/** What precedes the 32 bytes of a private key in its encoding (RFC 8410, section 7). */
const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export const publicKeyObject = (publicKey: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
