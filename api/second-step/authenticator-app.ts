import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import type { Deps } from '../deps.ts'

/** Codes of an authenticator app (RFC 6238): six digits, a new one every 30 seconds. */

const SECRET_BYTES = 20
const STEP_SECONDS = 30

/** A new secret in base32, as people type it into an app. */
export const newAppSecret = ({ randomBytes }: Pick<Deps, 'randomBytes'>): string =>
  new ScureBase32Plugin().encode(randomBytes(SECRET_BYTES), { padding: false })

/** The address that the app reads from the QR code. */
export const appAddress = (issuer: string, email: string, secret: string): string =>
  generateURI({ issuer, label: email, secret })

/**
 * The time step of this code, later than `lastStep`; null for a wrong or used code. The clock of the app may be one step
 * ahead or behind.
 */
export function stepOfCode(
  { clock }: Pick<Deps, 'clock'>,
  secret: string,
  lastStep: number,
  code: string,
): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(clock.now() / 1000),
    epochTolerance: STEP_SECONDS,
  })
  if (!result.valid || !('timeStep' in result)) return null
  return result.timeStep > lastStep ? result.timeStep : null
}

/** Encrypts the secret for this account: a row that is copied to another account cannot be read. */
export const sealSecret = (
  { keys }: Pick<Deps, 'keys'>,
  userId: string,
  secret: string,
): Promise<string> =>
  new EncryptJWT({ secret })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setSubject(userId)
    .encrypt(keys.secondStep.appSecret)

/** Null where it was encrypted with another key or for another account. */
export async function openSecret(
  { keys }: Pick<Deps, 'keys'>,
  userId: string,
  sealed: string,
): Promise<string | null> {
  try {
    const { payload } = await jwtDecrypt(sealed, keys.secondStep.appSecret, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      subject: userId,
    })
    return typeof payload.secret === 'string' ? payload.secret : null
  } catch (fault) {
    if (fault instanceof errors.JOSEError) return null
    throw fault
  }
}
