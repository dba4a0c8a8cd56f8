import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { notices } from '../app/notices.ts'

/** The browser's dialogs for passkeys. */

type Json = Record<string, unknown>

export const offersPasskeys = browserSupportsWebAuthn

/** Null where the person closed the dialog or has no such passkey here, which is said. */
export const askForPasskey = (options: Json): Promise<Json | null> =>
  orSaid(() =>
    startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    }),
  )

/** The same for a new one. */
export const createPasskey = (options: Json): Promise<Json | null> =>
  orSaid(() =>
    startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    }),
  )

async function orSaid(open: () => Promise<object>): Promise<Json | null> {
  try {
    return { ...(await open()) }
  } catch (fault) {
    notices.error('No passkey was used', detailsOf(fault), { subject: 'passkey' })
    return null
  }
}

function detailsOf(fault: unknown): string {
  const name = fault instanceof Error ? fault.name : ''
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.'
  if (name === 'SecurityError') return 'Passkeys do not work at this address.'
  return 'The dialog was closed, or this device has no passkey for your account.'
}
