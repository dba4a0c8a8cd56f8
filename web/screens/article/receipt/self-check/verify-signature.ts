import { canonicalJson } from '../../../../../domain/text/canonical.ts'
import type { ReceiptFacts } from '../../../../../domain/wire/hand-ins.ts'

export type SignedReceipt = ReceiptFacts & { signature: string }

/** Whether the signature fits the facts and the public key among them; null where the browser cannot say. */
export async function isSignatureRight({
  signature,
  ...facts
}: SignedReceipt): Promise<boolean | null> {
  try {
    const publicKey = bytesOf(facts.key.publicKey)
    const key = await crypto.subtle.importKey('raw', publicKey, ALGORITHM, false, ['verify'])
    const data = new TextEncoder().encode(canonicalJson(facts))
    return await crypto.subtle.verify(ALGORITHM, key, bytesOf(signature), data)
  } catch (error) {
    return error instanceof DOMException && error.name === 'DataError' ? false : null
  }
}

const ALGORITHM = 'Ed25519'

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
