import { join, resolve } from 'node:path'
import { knownTimeZone } from '../domain/calendar/time-zone.ts'
import { emailSchema, newPasswordSchema } from '../domain/wire/fields.ts'
import type { DatabaseAddress } from './database/database-address.ts'
import { networkList } from './throttle/client-network.ts'

/** The settings of one run, read and checked once. Secrets of the token and password keys stay out of it. */
export type Config = ReturnType<typeof readConfig>

export type Environment = Readonly<Record<string, string | undefined>>

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {
  constructor(name: string, fault: string) {
    super(`${name} ${fault}`)
    this.name = 'ConfigError'
  }
}

/** Parses a given value; `refuse` throws a ConfigError with the name of the setting and this message. */
type Check<T> = (value: string, refuse: (fault: string) => never) => T

type Setting<T> = {
  /** The default value. Undefined when it depends on other settings, or when there is none. */
  standard?: string
  /** The default as the documentation shows it, where it differs from `standard`. */
  shown?: string
  meaning: string
  check: Check<T>
  /** Accepts an empty value, which is otherwise refused. */
  mayBeEmpty?: true
  /** Can be read from the file named by NAME_FILE, so that no environment or process list contains it. */
  isSecret?: true
}

/** Infers the type of a row from its check. */
const setting = <T>(row: Setting<T>): Setting<T> => row

export const SECRET_LENGTH_MIN = 32

const wholeNumber =
  (least: number, most: number): Check<number> =>
  (value, refuse) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    return refuse(`must be a whole number from ${least} to ${most}`)
  }

const oneOf =
  <T extends string>(choices: readonly T[]): Check<T> =>
  (value, refuse) =>
    choices.find((known) => known === value) ?? refuse(`must be one of ${choices.join(', ')}`)

const onOff: Check<boolean> = (value, refuse) => oneOf(['on', 'off'])(value, refuse) === 'on'

const anyText: Check<string> = (value) => value

const timeZone: Check<string> = (value, refuse) =>
  knownTimeZone(value) ?? refuse('must be a time zone such as Europe/Berlin')

const hostName: Check<string> = (value, refuse) =>
  /^[^\s"'/]+$/.test(value) ? value : refuse('must be a name or an address such as 127.0.0.1')

const webAddress: Check<string> = (value, refuse) => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    return refuse('must be an address such as https://articles.example')
  }
  return url.href.replace(/\/+$/, '')
}

/** Pages and links use paths from the root of the host. */
const hostAddress: Check<string> = (value, refuse) => {
  const address = webAddress(value, refuse)
  const { origin } = new URL(address)
  return address === origin ? origin : refuse(`must have no path: use ${origin}`)
}

const SHELL_SYNTAX = /^~|^%|%(?=\w+%)|\$(?=[\w{(])|`/

/** Shell syntax and URLs would otherwise become names of folders. */
const path: Check<string> = (value, refuse) => {
  if (/^["']|["']$/.test(value)) return refuse('must not be in quotes')
  if (/^file:/i.test(value)) return refuse('must be a path, not a URL')
  const [sign] = SHELL_SYNTAX.exec(value) ?? []
  return sign === undefined ? value : refuse(`must be a path; ${sign} is read by shells only`)
}

const mailAddress: Check<string> = (value, refuse) =>
  /^[^\s@"<>]+@[^\s@"'<>]+$/.test(value) ? value : refuse('must be an e-mail address')

const accountAddress: Check<string> = (value, refuse) =>
  emailSchema.safeParse(value).data ?? refuse('must be an e-mail address')

const password: Check<string> = (value, refuse) =>
  newPasswordSchema.safeParse(value).data ?? refuse('must be 8 to 256 characters long')

const secret: Check<string> = (value, refuse) =>
  value.length >= SECRET_LENGTH_MIN
    ? value
    : refuse(`must have at least ${SECRET_LENGTH_MIN} characters`)

const secrets: Check<string[]> = (value, refuse) =>
  value.split(',').map((one) => secret(one, refuse))

/** A sign of the password that begins another part of a URL: what follows it would silently be left out. */
const BEFORE_HOST = /^\w+:\/\/[^/?#]*([/?#]).*@/s

/** `scheme://user:password@host…`. Undefined for what is none; refuses a password that would be read as something else. */
function serverAddress(
  scheme: RegExp,
  value: string,
  refuse: (fault: string) => never,
): string | undefined {
  const sign = BEFORE_HOST.exec(value)?.[1] ?? (value.includes('#') ? '#' : undefined)
  const encode = (of: string) =>
    refuse(`must have ${of} as ${encodeURIComponent(of)} in its user name and password`)
  if (scheme.test(value) && sign !== undefined) return encode(sign)
  if (!scheme.test(value) || /\s/.test(value) || !URL.canParse(value)) return undefined
  const { username, password } = new URL(value)
  if (/%(?![\da-f]{2})/i.test(username + password)) return encode('%')
  return value
}

const mailServer: Check<string> = (value, refuse) => {
  const address = serverAddress(/^smtps?:\/\//, value, refuse)
  return address !== undefined && new URL(address).hostname !== ''
    ? address
    : refuse('must be an address such as smtps://user:password@mail.example')
}

const token: Check<string> = (value, refuse) =>
  /^[\x21-\x7e]{16,}$/.test(value)
    ? value
    : refuse('must have at least 16 letters, digits or signs')

const proxies: Check<string[]> = (value, refuse) => {
  const entries = value.split(/[\s,]+/).filter((entry) => entry !== '')
  if (networkList(entries) !== null) return entries
  return refuse('must be addresses such as 127.0.0.1, 10.0.0.0/8')
}

const POSTGRES = /^postgres(ql)?:\/\//

const databaseAddress: Check<{ url: string } | { file: string }> = (given, refuse) => {
  const value = given.trim()
  const url = serverAddress(POSTGRES, value, refuse)
  if (url !== undefined) return { url }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1]
  if (file !== undefined) return { file: path(file, refuse) }
  return refuse('must be sqlite:/path/to/file or postgres://user:password@host/database')
}

const postgresAddress: Check<string> = (given, refuse) =>
  serverAddress(POSTGRES, given.trim(), refuse) ??
  refuse('must be postgres://user:password@host/database')

const orNone =
  <T>(check: Check<T>): Check<T | null> =>
  (value, refuse) =>
    value === '' ? null : check(value, refuse)

const orHidden =
  (check: Check<string>): Check<string> =>
  (value, refuse) =>
    value === '' ? '' : check(value, refuse)

/**
 * All settings. The error messages, the table of the README and `.env.example` are generated from these rows
 * (`scripts/settings.test.ts`).
 */
// biome-ignore format: a table reads by its rows.
export const SETTINGS = {
  PORT: setting({ standard: '3000', check: wholeNumber(0, 65_535), meaning: 'where the server listens; 0 takes any free port' }),
  HOST: setting({ standard: 'localhost', check: hostName, meaning: 'the name or address on which it listens; `0.0.0.0` for all of IPv4' }),
  PUBLIC_URL: setting({ shown: 'http://localhost:PORT', check: hostAddress, meaning: 'the address people use, without a path; links in mails start with it' }),
  ALLOW_HTTP: setting({ standard: 'off', check: onOff, meaning: '`on` lets PUBLIC_URL be plain http on another host than this computer' }),
  TRUSTED_PROXIES: setting({ standard: '', shown: 'none', check: proxies, mayBeEmpty: true, meaning: 'addresses or networks whose X-Forwarded-For names the client and whose X-Forwarded-Proto counts' }),
  DATA_DIR: setting({ standard: 'data', check: path, meaning: 'database, generated secrets, mails written to files, page files of the last releases' }),
  DATABASE_URL: setting({ shown: 'a SQLite file in DATA_DIR', check: databaseAddress, isSecret: true, meaning: '`sqlite:/path/to/file`, or `postgres://user:password@host/database` for several nodes' }),
  DATABASE_CONNECTIONS: setting({ standard: '10', check: wholeNumber(2, 1_000), meaning: 'the most that one node opens to PostgreSQL; change notifications take one more' }),
  DATABASE_READ_URL: setting({ standard: '', shown: 'none', check: orNone(postgresAddress), mayBeEmpty: true, isSecret: true, meaning: 'a replica of that PostgreSQL, which then does the reads that it can do in time' }),
  BACKUPS: setting({ shown: 'on with SQLite', check: onOff, meaning: '`off` when something else copies the database' }),
  BACKUP_DIR: setting({ shown: 'DATA_DIR/backups', check: path, meaning: 'where backups go; another disk is better' }),
  BACKUP_MINUTES: setting({ standard: '60', check: wholeNumber(5, 24 * 60), meaning: 'how often, from 5 minutes on' }),
  BACKUPS_HOURLY: setting({ standard: '24', check: wholeNumber(1, 1_000), meaning: 'hours for which one backup per hour is kept' }),
  BACKUPS_DAILY: setting({ standard: '14', check: wholeNumber(1, 1_000), meaning: 'days for which one backup per day is kept' }),
  FREE_SPACE_MIN_MB: setting({ standard: '500', check: wholeNumber(0, 1_000_000), meaning: 'backups pause when they would leave less than this' }),
  METRICS_TOKEN: setting({ standard: '', shown: 'none', check: orNone(token), mayBeEmpty: true, isSecret: true, meaning: 'at least 16 characters; with it `/metrics` answers requests that send it as bearer token' }),
  ADMIN_EMAIL: setting({ standard: 'admin@contun.example', check: accountAddress, meaning: 'the first admin, made when there is none' }),
  ADMIN_PASSWORD: setting({ shown: 'random', check: password, isSecret: true, meaning: 'the password of the first admin' }),
  JWT_SECRET: setting({ shown: 'generated once into DATA_DIR; to be set with PostgreSQL', check: secrets, isSecret: true, meaning: 'signs logins: at least 32 characters, or two such secrets, `new,old`, while one replaces the other' }),
  PASSWORD_PEPPER: setting({ shown: 'generated once into DATA_DIR; to be set with PostgreSQL', check: secret, isSecret: true, meaning: 'mixed into every password: at least 32 characters, the same as long as there are accounts' }),
  ACCESS_TOKEN_MINUTES: setting({ standard: '30', check: wholeNumber(1, 24 * 60), meaning: 'life of an access token' }),
  REFRESH_TOKEN_DAYS: setting({ standard: '30', check: wholeNumber(1, 365), meaning: 'life of a login, counted from the login' }),
  RESET_TOKEN_MINUTES: setting({ standard: '30', check: wholeNumber(1, 24 * 60), meaning: 'life of a password-reset link' }),
  REFRESH_GRACE_SECONDS: setting({ standard: '60', check: wholeNumber(0, 3600), meaning: 'how long the previous refresh token still works for other tabs' }),
  RATE_LIMITS: setting({ standard: 'on', check: onOff, meaning: '`off` disables rate limits and load shedding; refused with an https PUBLIC_URL' }),
  LOGIN_ACCOUNT_DAILY: setting({ standard: '1000', check: wholeNumber(1, 1_000_000), meaning: 'failed logins of one account per day from devices that never logged in to it' }),
  REGISTER_HOURLY: setting({ standard: '5', check: wholeNumber(1, 1_000_000), meaning: 'registrations of one network per hour' }),
  PASSWORD_BLOCKLIST: setting({ shown: 'on when PUBLIC_URL is https', check: onOff, meaning: 'refuse the commonest passwords' }),
  REQUIRE_SECOND_STEP: setting({ standard: 'off', check: oneOf(['off', 'admins'] as const), meaning: '`admins`: after seven days, admins without two-step login have no more rights than users until they add it and log in again' }),
  SMTP_URL: setting({ standard: '', shown: 'none', check: orNone(mailServer), mayBeEmpty: true, isSecret: true, meaning: '`smtps://user:password@host`; without it each mail is written as an .eml file into DATA_DIR/mail' }),
  MAIL_FROM: setting({ standard: 'no-reply@contun.example', check: mailAddress, meaning: 'the sender of mails' }),
  API_DOCS: setting({ shown: 'off when PUBLIC_URL is https', check: onOff, meaning: 'serve the OpenAPI description of the API at /openapi.json' }),
  PRODUCT_NAME: setting({ standard: 'Contūn Articles', check: anyText, meaning: 'the name in the header, in titles, in mails and of the installed app' }),
  AGENCY_NAME: setting({ standard: 'Moon & Owl', check: anyText, meaning: 'the agency, in the header and in mails' }),
  TIME_ZONE: setting({ standard: 'UTC', check: timeZone, meaning: 'the time zone of the agency, such as Europe/Berlin: which day it is for due dates and months' }),
  SUPPORT_EMAIL: setting({ standard: 'support@moonandowl.example', check: orHidden(mailAddress), mayBeEmpty: true, meaning: 'where people ask for help; an empty value hides the link' }),
  MARKETING_URL: setting({ standard: 'https://moonandowl.example', check: orHidden(webAddress), mayBeEmpty: true, meaning: 'the page of the agency; an empty value hides the link' }),
  LOG_LEVEL: setting({ standard: 'info', shown: 'info; warn with `npm start` at a terminal', check: oneOf(['silent', 'error', 'warn', 'info', 'debug'] as const), meaning: 'silent, error, warn, info or debug' }),
}

export type SettingName = keyof typeof SETTINGS
type ValueOf<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['check']>

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** The value of one setting, from the environment or `otherwise`; undefined when there is none. */
export function readSetting<N extends SettingName>(
  env: Environment,
  name: N,
  otherwise: string | undefined = rowOf(name).standard,
): ValueOf<N> | undefined {
  const { check, mayBeEmpty, isSecret } = rowOf(name)
  const given = env[name] ?? otherwise
  if (given === undefined) return undefined
  const refuse = (fault: string): never => {
    throw new ConfigError(name, fault)
  }
  // Whitespace is part of a secret.
  const value = isSecret ? given : given.trim()
  if (value.trim() === '' && !mayBeEmpty) refuse('must not be empty')
  if (/\p{Cc}/u.test(given) && !isSecret) refuse('must not have control characters')
  return check(value, refuse) as ValueOf<N>
}

const rowOf = (name: SettingName): Setting<unknown> => SETTINGS[name]

/** Work factor of bcrypt: each step doubles the time of one hash, about a quarter of a second on a small server. */
const PASSWORD_COST: number = 12

export function readConfig(env: Environment) {
  const value = <N extends SettingName>(name: N, otherwise?: string): ValueOf<N> => {
    const read = readSetting(env, name, otherwise)
    if (read === undefined) throw new ConfigError(name, 'must be set')
    return read
  }
  const flag = (isOn: boolean) => (isOn ? 'on' : 'off')
  const port = value('PORT')
  const publicUrl = publicAddress(
    value('PUBLIC_URL', `http://localhost:${port}`),
    value('ALLOW_HTTP'),
  )
  const isHttps = publicUrl.startsWith('https:')
  const dataDir = resolve(value('DATA_DIR'))
  const address = value('DATABASE_URL', `sqlite:${join(dataDir, 'contun.sqlite')}`)
  const connections = value('DATABASE_CONNECTIONS')
  const readUrl = value('DATABASE_READ_URL')
  const database: DatabaseAddress =
    'url' in address
      ? { engine: 'postgres', url: address.url, readUrl, connections }
      : { engine: 'sqlite', file: resolve(address.file) }
  if (readUrl !== null && database.engine === 'sqlite') {
    throw new ConfigError('DATABASE_READ_URL', 'is for PostgreSQL: a file has no replica')
  }
  return {
    port,
    host: value('HOST'),
    /** Without a trailing slash. */
    publicUrl,
    dataDir,
    database,
    backups: backups(value('BACKUPS', flag(database.engine === 'sqlite')), database),
    backupDir: resolve(value('BACKUP_DIR', join(dataDir, 'backups'))),
    backupMinutes: value('BACKUP_MINUTES'),
    backupsHourly: value('BACKUPS_HOURLY'),
    backupsDaily: value('BACKUPS_DAILY'),
    freeSpaceMinMb: value('FREE_SPACE_MIN_MB'),
    /** Null: there are no metrics. */
    metricsToken: value('METRICS_TOKEN'),
    accessTokenMinutes: value('ACCESS_TOKEN_MINUTES'),
    refreshTokenDays: value('REFRESH_TOKEN_DAYS'),
    resetTokenMinutes: value('RESET_TOKEN_MINUTES'),
    refreshGraceSeconds: value('REFRESH_GRACE_SECONDS'),
    passwordCost: PASSWORD_COST,
    passwordBlocklist: value('PASSWORD_BLOCKLIST', flag(isHttps)),
    requireSecondStep: value('REQUIRE_SECOND_STEP'),
    /** False only where no stranger can reach the server: nothing is throttled or refused under load. */
    rateLimits: rateLimits(value('RATE_LIMITS'), isHttps),
    apiDocs: value('API_DOCS', flag(!isHttps)),
    trustedProxies: value('TRUSTED_PROXIES'),
    loginAccountDaily: value('LOGIN_ACCOUNT_DAILY'),
    registerHourly: value('REGISTER_HOURLY'),
    /** Null: mails are written to files. */
    smtpUrl: value('SMTP_URL'),
    mailFrom: value('MAIL_FROM'),
    productName: value('PRODUCT_NAME'),
    agencyName: value('AGENCY_NAME'),
    /** Decides which day it is for due dates and months. */
    timeZone: value('TIME_ZONE'),
    /** Empty hides the link, here and below. */
    supportEmail: value('SUPPORT_EMAIL'),
    marketingUrl: value('MARKETING_URL'),
    logLevel: value('LOG_LEVEL'),
  }
}

/** The account that is created when there is no admin. Without a password one is generated. */
export function readFirstAdmin(env: Environment): { email: string; password: string | null } {
  return {
    email: readSetting(env, 'ADMIN_EMAIL') ?? '',
    password: readSetting(env, 'ADMIN_PASSWORD') ?? null,
  }
}

/** The settings as they may be logged. */
export function withoutSecrets(config: Config): Config {
  return {
    ...config,
    database:
      config.database.engine === 'sqlite'
        ? config.database
        : {
            ...config.database,
            url: withoutPassword(config.database.url),
            readUrl: config.database.readUrl && withoutPassword(config.database.readUrl),
          },
    smtpUrl: config.smtpUrl && withoutPassword(config.smtpUrl),
    metricsToken: config.metricsToken && '***',
  }
}

/** Removes the query string too: each parameter may be a password. */
const withoutPassword = (url: string): string =>
  url.replace(/\/\/.*@/, '//***@').replace(/\?.*/, '?***')

/** Passwords travel unprotected over plain http, so that is allowed for addresses of this computer only. */
function publicAddress(address: string, isHttpAllowed: boolean): string {
  const { protocol, hostname } = new URL(address)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname)
  if (protocol === 'https:' || isHere || isHttpAllowed) return address
  throw new ConfigError(
    'PUBLIC_URL',
    'must begin with https, because passwords travel there. ALLOW_HTTP=on takes the risk',
  )
}

function rateLimits(isOn: boolean, isHttps: boolean): boolean {
  if (isOn || !isHttps) return isOn
  throw new ConfigError('RATE_LIMITS', 'must be on where PUBLIC_URL begins with https')
}

function backups(isOn: boolean, { engine }: DatabaseAddress): boolean {
  if (!isOn || engine === 'sqlite') return isOn
  throw new ConfigError('BACKUPS', 'is for SQLite: what PostgreSQL holds is saved by pg_dump')
}
