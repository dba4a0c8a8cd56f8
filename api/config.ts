import { join, resolve } from 'node:path'
import { emailSchema, newPasswordSchema } from '../domain/wire-fields.ts'
import type { DatabaseAddress } from './database/database-address.ts'
import { networkList } from './throttle/client-network.ts'

/** The settings of one run, read and checked once. Secrets of the token and password keys stay out of it. */
export type Config = {
  /** 0 takes any free port. */
  port: number
  host: string
  /** Address that people type, without a trailing slash. Links in mails start with it. */
  publicUrl: string
  dataDir: string
  database: DatabaseAddress
  /** Whether the server copies the database by itself. */
  backups: boolean
  backupDir: string
  backupMinutes: number
  /** Of how many hours and days the last backup is kept. */
  backupsHourly: number
  backupsDaily: number
  /** Megabytes that a backup leaves free. */
  freeSpaceMinMb: number
  /** Null: there are no metrics. */
  metricsToken: string | null
  accessTokenMinutes: number
  refreshTokenDays: number
  resetTokenMinutes: number
  /** How long the previous refresh token still works, for other tabs. */
  refreshGraceSeconds: number
  /** Work factor of bcrypt: each step doubles the time of one hash. */
  passwordCost: number
  passwordBlocklist: boolean
  /** Off only where nobody else can reach the server: nothing is throttled, and nobody turned away under load. */
  rateLimits: boolean
  /** Whether the description of the API is served. */
  apiDocs: boolean
  /** Addresses and networks of the proxies whose X-Forwarded-For counts. */
  trustedProxies: string[]
  /** Failed logins of one account per day, from devices that never signed in to it. */
  loginAccountDaily: number
  /** Registrations of one network per hour. */
  registerHourly: number
  /** Null: mails are written to files. */
  smtpUrl: string | null
  mailFrom: string
  productName: string
  agencyName: string
  /** Empty hides the link, here and below. */
  supportEmail: string
  marketingUrl: string
  logLevel: LogLevel
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that cannot be used. The message is one line for whoever starts the server. */
export class ConfigError extends Error {
  constructor(name: string, fault: string) {
    super(`${name} ${fault}`)
    this.name = 'ConfigError'
  }
}

/** About a quarter of a second on a small server. */
const PASSWORD_COST = 12

export function readConfig(env: Environment): Config {
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535)
  const publicUrl = publicAddress(env, `http://localhost:${port}`)
  const dataDir = resolve(text(env, 'DATA_DIR', 'data'))
  const database = databaseAddress(env, dataDir)
  return {
    port,
    host: text(env, 'HOST', 'localhost'),
    publicUrl,
    dataDir,
    database,
    backups: backups(env, database),
    backupDir: resolve(text(env, 'BACKUP_DIR', join(dataDir, 'backups'))),
    backupMinutes: wholeNumber(env, 'BACKUP_MINUTES', 60, 5, 24 * 60),
    backupsHourly: wholeNumber(env, 'BACKUPS_HOURLY', 24, 1, 1_000),
    backupsDaily: wholeNumber(env, 'BACKUPS_DAILY', 14, 1, 1_000),
    freeSpaceMinMb: wholeNumber(env, 'FREE_SPACE_MIN_MB', 500, 0, 1_000_000),
    metricsToken: metricsToken(env),
    accessTokenMinutes: wholeNumber(env, 'ACCESS_TOKEN_MINUTES', 30, 1, 24 * 60),
    refreshTokenDays: wholeNumber(env, 'REFRESH_TOKEN_DAYS', 30, 1, 365),
    resetTokenMinutes: wholeNumber(env, 'RESET_TOKEN_MINUTES', 30, 1, 24 * 60),
    refreshGraceSeconds: wholeNumber(env, 'REFRESH_GRACE_SECONDS', 60, 0, 3600),
    passwordCost: PASSWORD_COST,
    passwordBlocklist: onOff(env, 'PASSWORD_BLOCKLIST', publicUrl.startsWith('https:')),
    rateLimits: rateLimits(env, publicUrl),
    apiDocs: onOff(env, 'API_DOCS', !publicUrl.startsWith('https:')),
    trustedProxies: trustedProxies(env),
    loginAccountDaily: wholeNumber(env, 'LOGIN_ACCOUNT_DAILY', 1_000, 1, 1_000_000),
    registerHourly: wholeNumber(env, 'REGISTER_HOURLY', 5, 1, 1_000_000),
    smtpUrl: smtpUrl(env),
    mailFrom: mailAddress(env, 'MAIL_FROM', 'no-reply@contun.example'),
    productName: text(env, 'PRODUCT_NAME', 'Contūn Articles'),
    agencyName: text(env, 'AGENCY_NAME', 'Moon & Owl'),
    supportEmail: env.SUPPORT_EMAIL === '' ? '' : mailAddress(env, 'SUPPORT_EMAIL', SUPPORT_EMAIL),
    marketingUrl: env.MARKETING_URL === '' ? '' : webAddress(env, 'MARKETING_URL', MARKETING_URL),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  }
}

const SUPPORT_EMAIL = 'support@moonandowl.example'
const MARKETING_URL = 'https://moonandowl.example'

/** The account that is made when there is no admin. Without a password one is invented. */
export function readFirstAdmin(env: Environment): { email: string; password: string | null } {
  const email = emailSchema.safeParse(text(env, 'ADMIN_EMAIL', 'admin@contun.example'))
  if (!email.success) throw new ConfigError('ADMIN_EMAIL', 'must be an e-mail address')
  if (env.ADMIN_PASSWORD === undefined) return { email: email.data, password: null }
  const password = newPasswordSchema.safeParse(env.ADMIN_PASSWORD)
  if (password.success) return { email: email.data, password: password.data }
  throw new ConfigError('ADMIN_PASSWORD', 'must be 8 to 256 characters long')
}

/** The settings as they may be logged. */
export function withoutSecrets(config: Config): Config {
  return {
    ...config,
    database:
      config.database.engine === 'sqlite'
        ? config.database
        : { ...config.database, url: withoutPassword(config.database.url) },
    smtpUrl: config.smtpUrl && withoutPassword(config.smtpUrl),
    metricsToken: config.metricsToken && '***',
  }
}

/** Nor any parameter, which may be one. */
const withoutPassword = (url: string): string =>
  url.replace(/\/\/.*@/, '//***@').replace(/\?.*/, '?***')

function text(env: Environment, name: string, otherwise: string): string {
  const value = env[name] ?? otherwise
  if (value.trim() === '') throw new ConfigError(name, 'must not be empty')
  if (/\p{Cc}/u.test(value)) throw new ConfigError(name, 'must not have control characters')
  return value.trim()
}

function wholeNumber(
  env: Environment,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number {
  const value = text(env, name, String(otherwise))
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw new ConfigError(name, `must be a whole number from ${least} to ${most}`)
}

function oneOf<T extends string>(
  env: Environment,
  name: string,
  choices: readonly T[],
  otherwise: T,
): T {
  const value = text(env, name, otherwise)
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw new ConfigError(name, `must be one of ${choices.join(', ')}`)
  return choice
}

function onOff(env: Environment, name: string, otherwise: boolean): boolean {
  return oneOf(env, name, ['on', 'off'], otherwise ? 'on' : 'off') === 'on'
}

function webAddress(env: Environment, name: string, otherwise: string): string {
  const value = text(env, name, otherwise)
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(name, 'must be an address such as https://articles.example')
  }
  return url.href.replace(/\/+$/, '')
}

/** Passwords travel unprotected over plain http: only this computer itself may be addressed so. */
function publicAddress(env: Environment, otherwise: string): string {
  const address = webAddress(env, 'PUBLIC_URL', otherwise)
  const { protocol, hostname } = new URL(address)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname)
  if (protocol === 'https:' || isHere || onOff(env, 'ALLOW_HTTP', false)) return address
  throw new ConfigError(
    'PUBLIC_URL',
    'must begin with https, because passwords travel there. ALLOW_HTTP=on takes the risk',
  )
}

function rateLimits(env: Environment, publicUrl: string): boolean {
  const isOn = onOff(env, 'RATE_LIMITS', true)
  if (isOn || publicUrl.startsWith('http:')) return isOn
  throw new ConfigError('RATE_LIMITS', 'must be on where PUBLIC_URL begins with https')
}

function trustedProxies(env: Environment): string[] {
  const entries = (env.TRUSTED_PROXIES ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  if (networkList(entries) !== null) return entries
  throw new ConfigError('TRUSTED_PROXIES', 'must be addresses such as 127.0.0.1, 10.0.0.0/8')
}

function mailAddress(env: Environment, name: string, otherwise: string): string {
  const value = text(env, name, otherwise)
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new ConfigError(name, 'must be an e-mail address')
  return value
}

function smtpUrl(env: Environment): string | null {
  if (env.SMTP_URL === undefined || env.SMTP_URL === '') return null
  if (!/^smtps?:\/\/\S+$/.test(env.SMTP_URL) || !URL.canParse(env.SMTP_URL)) {
    throw new ConfigError(
      'SMTP_URL',
      'must be an address such as smtps://user:password@mail.example',
    )
  }
  return env.SMTP_URL
}

function metricsToken(env: Environment): string | null {
  if (env.METRICS_TOKEN === undefined || env.METRICS_TOKEN === '') return null
  if (/^[\x21-\x7e]{16,}$/.test(env.METRICS_TOKEN)) return env.METRICS_TOKEN
  throw new ConfigError('METRICS_TOKEN', 'must have at least 16 letters, digits or signs')
}

function databaseAddress(env: Environment, dataDir: string): DatabaseAddress {
  const value = text(env, 'DATABASE_URL', `sqlite:${join(dataDir, 'contun.sqlite')}`)
  const connections = wholeNumber(env, 'DATABASE_CONNECTIONS', 10, 2, 1_000)
  if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) {
    return { engine: 'postgres', url: value, connections }
  }
  const file = sqliteFile(value)
  if (file !== undefined) return { engine: 'sqlite', file: resolve(file) }
  throw new ConfigError(
    'DATABASE_URL',
    'must be sqlite:/path/to/file or postgres://user:password@host/database',
  )
}

const sqliteFile = (value: string): string | undefined =>
  /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1]

function backups(env: Environment, { engine }: DatabaseAddress): boolean {
  const isOn = onOff(env, 'BACKUPS', engine === 'sqlite')
  if (!isOn || engine === 'sqlite') return isOn
  throw new ConfigError('BACKUPS', 'is for SQLite: what PostgreSQL holds is saved by pg_dump')
}
