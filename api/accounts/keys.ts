import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Environment, readSetting, SECRET_LENGTH_MIN } from '../config.ts'
import { unusable } from '../process/folders.ts'

/** `kid` names the key inside a token, so that two keys can be live while one replaces the other. */
export type SigningKey = {
  kid: string
  access: Uint8Array
  refresh: Uint8Array
  reset: Uint8Array
  device: Uint8Array
}

export type Keys = {
  /** The first key signs, all of them verify. */
  signing: readonly [SigningKey, ...SigningKey[]]
  /** Mixed into every password before it is hashed; without it no password works. */
  pepper: Uint8Array
  /** Derived from the pepper too. One encrypts the secrets of authenticator apps, the other digests recovery codes. */
  secondStep: { appSecret: Uint8Array; recoveryCode: Uint8Array }
  /** Derived from the pepper too, so that the links of old mails stop mails for years. */
  stopMails: Uint8Array
} & ReceiptSecrets

/** Derived from the pepper, which stays for years, unlike JWT_SECRET. */
export type ReceiptSecrets = {
  /** Signed receipts of the first two formats. */
  receipt: Uint8Array
  /** The keys that sign receipts are derived from it. */
  receiptSeed: Uint8Array
}

const SECRET_BYTES = 32
const PEPPER_FILE = 'password-pepper'

/** Each kind of token is signed by a separate key, so one can never pass for the other. */
export function signingKey(secret: string): SigningKey {
  const derive = (use: string) => createHmac('sha256', secret).update(`contun ${use}`).digest()
  const kid = createHash('sha256').update(`contun kid ${secret}`).digest('hex').slice(0, 12)
  return {
    kid,
    access: derive('access'),
    refresh: derive('refresh'),
    reset: derive('reset'),
    device: derive('device'),
  }
}

export type SecretStore = {
  dataDir: string
  /** Accounts exist already: a missing pepper must not be replaced by a new one. */
  isInstalled: boolean
  /** Several nodes serve the same users: all need the same secrets, and none may create its own. */
  isShared?: boolean
  randomBytes(count: number): Uint8Array
}

/**
 * Both secrets from the environment, else from their files in the data folder, which are created at the first start.
 * JWT_SECRET may be two secrets separated by a comma: the new one, which signs, and the one it replaces.
 */
export function readKeys(env: Environment, store: SecretStore): Keys {
  const [first, ...older] = readSetting(env, 'JWT_SECRET') ?? [keptSecret(store)]
  return {
    signing: [signingKey(first ?? ''), ...older.map(signingKey)],
    ...keysOfPepper(readPepper(env, store)),
  }
}

const derived = (pepper: Uint8Array, use: string): Uint8Array =>
  createHmac('sha256', pepper).update(`contun ${use}`).digest()

export const keysOfPepper = (pepper: Uint8Array): Omit<Keys, 'signing'> => ({
  pepper,
  ...receiptSecrets(pepper),
  secondStep: {
    appSecret: derived(pepper, 'authenticator app'),
    recoveryCode: derived(pepper, 'recovery code'),
  },
  stopMails: derived(pepper, 'stop mails'),
})

export const receiptSecrets = (pepper: Uint8Array): ReceiptSecrets => ({
  receipt: derived(pepper, 'receipt'),
  receiptSeed: derived(pepper, 'receipt keys'),
})

export function readPepper(env: Environment, store: SecretStore): Uint8Array {
  const pepper = readSetting(env, 'PASSWORD_PEPPER') ?? keptPepper(store)
  return Buffer.from(pepper, 'utf8')
}

function keptSecret(store: SecretStore): string {
  ensureOwn('JWT_SECRET', store)
  return kept('jwt-secret', store)
}

function keptPepper(store: SecretStore): string {
  ensureOwn('PASSWORD_PEPPER', store)
  const file = join(store.dataDir, PEPPER_FILE)
  if (store.isInstalled && !existsSync(file)) {
    throw new ConfigError('PASSWORD_PEPPER', `is not set and ${file} is gone: restore it first`)
  }
  return kept(PEPPER_FILE, store)
}

/** The configured pepper, without generating one; null when there is none. */
export function findPepper(env: Environment, store: SecretStore): Uint8Array | null {
  const isKept = !store.isShared && existsSync(join(store.dataDir, PEPPER_FILE))
  const isThere = readSetting(env, 'PASSWORD_PEPPER') !== undefined || isKept
  return isThere ? readPepper(env, store) : null
}

/** Throws instead of generating a secret that other nodes do not have. */
function ensureOwn(variable: string, { isShared }: SecretStore): void {
  if (!isShared) return
  throw new ConfigError(
    variable,
    'must be set where DATABASE_URL is postgres, the same for every node',
  )
}

function readOwn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (fault) {
    throw unusable(file, 'read', fault)
  }
}

function kept(name: string, { dataDir, randomBytes }: SecretStore): string {
  const file = join(dataDir, name)
  if (existsSync(file)) {
    const secret = readOwn(file).trim()
    if (secret.length >= SECRET_LENGTH_MIN) return secret
    throw new ConfigError(file, `must hold at least ${SECRET_LENGTH_MIN} characters`)
  }
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return secret
}
