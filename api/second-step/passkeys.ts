import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { PasskeyRow, UserRow } from '../database/tables.ts'
import type { Deps } from '../deps.ts'

/**
 * Passkeys (WebAuthn) of this site only: its name is the host of PUBLIC_URL. The authenticator has to verify the person,
 * by a fingerprint, a face or a PIN.
 */

const CHALLENGE_BYTES = 32

type Site = Pick<Deps, 'config'>

const siteName = ({ config }: Site) => new URL(config.publicUrl).hostname
const siteOrigin = ({ config }: Site) => new URL(config.publicUrl).origin
const newChallenge = ({ randomBytes }: Pick<Deps, 'randomBytes'>) =>
  Uint8Array.from(randomBytes(CHALLENGE_BYTES))

const described = ({ id, transports }: PasskeyRow) => ({
  id,
  transports: transportsIn(transports),
})

const transportsIn = (json: string): string[] => JSON.parse(json)

/** Options for `navigator.credentials.create`. */
export const creationOptions = (
  deps: Site & Pick<Deps, 'randomBytes'>,
  user: UserRow,
  known: readonly PasskeyRow[],
) =>
  generateRegistrationOptions({
    rpName: deps.config.productName,
    rpID: siteName(deps),
    userName: user.email,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(user.id)),
    challenge: newChallenge(deps),
    attestationType: 'none',
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })

/** Options for `navigator.credentials.get`. */
export const requestOptions = (
  deps: Site & Pick<Deps, 'randomBytes'>,
  passkeys: readonly PasskeyRow[],
) =>
  generateAuthenticationOptions({
    rpID: siteName(deps),
    challenge: newChallenge(deps),
    allowCredentials: passkeys.map(described),
    userVerification: 'required',
  })

type NewPasskey = Pick<PasskeyRow, 'id' | 'public_key' | 'counter' | 'transports'>

/** The new passkey; null for another challenge, origin or site, or without verification of the person. */
export async function readNewPasskey(
  deps: Site & Pick<Deps, 'log'>,
  challenge: string,
  response: Record<string, unknown>,
): Promise<NewPasskey | null> {
  const verified = await orRefused(deps, () =>
    verifyRegistrationResponse({
      // The library checks its shape.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: siteOrigin(deps),
      expectedRPID: siteName(deps),
    }),
  )
  if (!verified?.verified) return null
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return {
    id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter: String(counter),
    transports: JSON.stringify(transports),
  }
}

/** How often the passkey was used, by its own count; null where the response is not its answer to the challenge. */
export async function readUse(
  deps: Site & Pick<Deps, 'log'>,
  passkey: PasskeyRow,
  challenge: string,
  response: Record<string, unknown>,
): Promise<number | null> {
  const { id, public_key, counter, transports } = passkey
  const verified = await orRefused(deps, () =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: siteOrigin(deps),
      expectedRPID: siteName(deps),
      credential: {
        id,
        publicKey: Uint8Array.from(Buffer.from(public_key, 'base64url')),
        counter: Number(counter),
        transports: transportsIn(transports),
      },
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}

/** The library throws for whatever is wrong, a counter that went back for one, and says what it was. */
async function orRefused<T>(
  { log }: Pick<Deps, 'log'>,
  verify: () => Promise<T>,
): Promise<T | null> {
  try {
    return await verify()
  } catch (fault) {
    log.warn({ fault: fault instanceof Error ? fault.message : 'unknown' }, 'Passkey refused')
    return null
  }
}
