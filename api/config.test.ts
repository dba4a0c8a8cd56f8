import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from './accounts/keys.ts'
import { readConfig, readFirstAdmin, withoutSecrets } from './config.ts'
import type { Log } from './deps.ts'
import { fileMailer } from './mail/mailer.ts'
import { testConfig } from './testing/test-app.ts'

describe('the settings', () => {
  it('take a path with signs that a shell would not read', () => {
    const dataDir = '/srv/100% ink & 5$/~old/o’neil (1)'
    expect(readConfig({ DATA_DIR: dataDir }).dataDir).toBe(dataDir)
  })

  it('have a value for everything', { tags: ['@CN-14'] }, () => {
    expect(readConfig({ DATA_DIR: '/srv/contun' })).toEqual({
      port: 3000,
      host: 'localhost',
      publicUrl: 'http://localhost:3000',
      dataDir: '/srv/contun',
      database: { engine: 'sqlite', file: '/srv/contun/contun.sqlite' },
      backups: true,
      backupDir: '/srv/contun/backups',
      backupMinutes: 60,
      backupsHourly: 24,
      backupsDaily: 14,
      freeSpaceMinMb: 500,
      metricsToken: null,
      accessTokenMinutes: 30,
      refreshTokenDays: 30,
      resetTokenMinutes: 30,
      refreshGraceSeconds: 60,
      passwordCost: 12,
      passwordBlocklist: false,
      rateLimits: true,
      apiDocs: true,
      trustedProxies: [],
      loginAccountDaily: 1_000,
      registerHourly: 5,
      requireSecondStep: 'off',
      smtpUrl: null,
      mailFrom: 'no-reply@contun.example',
      productName: 'Contūn Articles',
      agencyName: 'Moon & Owl',
      timeZone: 'UTC',
      supportEmail: 'support@moonandowl.example',
      marketingUrl: 'https://moonandowl.example',
      logLevel: 'info',
    })
  })

  it('come from the environment', { tags: ['@CN-14', '@Q2', '@Q13'] }, () => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://articles.example/',
      DATABASE_URL: 'sqlite:///srv/db/articles.db',
      SUPPORT_EMAIL: '',
      MARKETING_URL: '',
      REFRESH_GRACE_SECONDS: '2',
      ACCESS_TOKEN_MINUTES: '5',
      REFRESH_TOKEN_DAYS: '7',
      RESET_TOKEN_MINUTES: '10',
      PRODUCT_NAME: 'Inkwell',
      AGENCY_NAME: 'Ash & Rowan',
      TIME_ZONE: 'Europe/Berlin',
    })
    expect(config).toMatchObject({
      port: 0,
      publicUrl: 'https://articles.example',
      database: { engine: 'sqlite', file: '/srv/db/articles.db' },
      timeZone: 'Europe/Berlin',
      supportEmail: '',
      marketingUrl: '',
      refreshGraceSeconds: 2,
      accessTokenMinutes: 5,
      refreshTokenDays: 7,
      resetTokenMinutes: 10,
      productName: 'Inkwell',
      agencyName: 'Ash & Rowan',
    })
  })

  it('refuse common passwords by default where the public address is https', {
    tags: ['@Q19'],
  }, () => {
    const PUBLIC_URL = 'https://articles.example'
    expect(readConfig({ PUBLIC_URL }).passwordBlocklist).toBe(true)
    expect(readConfig({ PUBLIC_URL, PASSWORD_BLOCKLIST: 'off' }).passwordBlocklist).toBe(false)
    expect(readConfig({ PASSWORD_BLOCKLIST: 'on' }).passwordBlocklist).toBe(true)
  })

  it('allow plain http only on this computer, unless the risk is accepted explicitly', () => {
    const refusal = 'PUBLIC_URL must begin with https'
    for (const PUBLIC_URL of ['http://articles.example', 'http://10.0.0.5:3000']) {
      expect(() => readConfig({ PUBLIC_URL })).toThrow(refusal)
      expect(readConfig({ PUBLIC_URL, ALLOW_HTTP: 'on' }).publicUrl).toBe(PUBLIC_URL)
    }
    for (const PUBLIC_URL of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost']) {
      expect(readConfig({ PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
    }
  })

  it('turn throttles off only on this computer', () => {
    expect(readConfig({ RATE_LIMITS: 'off' }).rateLimits).toBe(false)
    expect(() =>
      readConfig({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://articles.example' }),
    ).toThrow('RATE_LIMITS must be on where PUBLIC_URL begins with https')
  })

  it('name proxies one by one or by network', () => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 fd00::/8' })
    expect(trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  })

  it.each([
    [{ TRUSTED_PROXIES: 'proxy.local' }, 'TRUSTED_PROXIES must be addresses such as'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be addresses such as'],
    [{ LOGIN_ACCOUNT_DAILY: '0' }, 'LOGIN_ACCOUNT_DAILY must be a whole number'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '' }, 'PORT must not be empty'],
    [{ PUBLIC_URL: 'articles.example' }, 'PUBLIC_URL must be an address such as'],
    [{ PUBLIC_URL: 'ftp://articles.example' }, 'PUBLIC_URL must be an address such as'],
    [{ DATABASE_URL: 'mysql://localhost/contun' }, 'DATABASE_URL must be sqlite:/path/to/file or'],
    [{ DATABASE_URL: 'postgres://localhost/contun', BACKUPS: 'on' }, 'BACKUPS is for SQLite'],
    [{ DATABASE_READ_URL: 'postgres://localhost/contun' }, 'DATABASE_READ_URL is for PostgreSQL'],
    [{ DATABASE_READ_URL: 'localhost' }, 'DATABASE_READ_URL must be postgres://'],
    [{ DATABASE_CONNECTIONS: '1' }, 'DATABASE_CONNECTIONS must be'],
    [{ ACCESS_TOKEN_MINUTES: '0' }, 'ACCESS_TOKEN_MINUTES must be a whole number from 1 to 1440'],
    [{ PASSWORD_BLOCKLIST: 'yes' }, 'PASSWORD_BLOCKLIST must be one of on, off'],
    [{ PUBLIC_URL: 'https://example.com/articles/' }, 'PUBLIC_URL must have no path: use https'],
    [{ DATA_DIR: '"/srv/data"' }, 'DATA_DIR must not be in quotes'],
    [{ DATA_DIR: '~/data' }, 'DATA_DIR must be a path; ~ is read by shells only'],
    [{ BACKUP_DIR: "'/srv/copies'" }, 'BACKUP_DIR must not be in quotes'],
    [{ BACKUP_DIR: '$HOME/copies' }, 'BACKUP_DIR must be a path; $ is read by shells only'],
    [{ DATA_DIR: '/srv/$USER/data' }, 'DATA_DIR must be a path; $ is read by shells only'],
    [{ DATA_DIR: '`pwd`/data' }, 'DATA_DIR must be a path; ` is read by shells only'],
    [{ DATA_DIR: 'C:\\Users\\%USERNAME%\\data' }, 'DATA_DIR must be a path; % is read by shells'],
    [{ DATA_DIR: 'file:///srv/data' }, 'DATA_DIR must be a path, not a URL'],
    [{ DATABASE_URL: 'sqlite:~/contun.sqlite' }, 'DATABASE_URL must be a path; ~ is read'],
    [{ DATABASE_URL: '"sqlite:/srv/contun.sqlite"' }, 'DATABASE_URL must be sqlite:/path'],
    [{ HOST: '"0.0.0.0"' }, 'HOST must be a name or an address'],
    [{ MAIL_FROM: 'Ink <ink@moonandowl.example>' }, 'MAIL_FROM must be an e-mail address'],
    [{ MAIL_FROM: '"ink@moonandowl.example"' }, 'MAIL_FROM must be an e-mail address'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be an address such as'],
    [{ SMTP_URL: 'smtp://relay:12#34@127.0.0.1:2525' }, 'SMTP_URL must have # as %23'],
    [{ SMTP_URL: 'smtp://relay:12/34@127.0.0.1:2525' }, 'SMTP_URL must have / as %2F'],
    [{ SMTP_URL: 'smtp://relay:12?34@127.0.0.1:2525' }, 'SMTP_URL must have ? as %3F'],
    [{ SMTP_URL: 'smtp://relay:a@b#c@127.0.0.1:2525' }, 'SMTP_URL must have # as %23'],
    [{ SMTP_URL: 'smtp://relay:pass#word@mail.example' }, 'SMTP_URL must have # as %23'],
    [{ SMTP_URL: 'smtp://relay:12%zz@mail.example' }, 'SMTP_URL must have % as %25'],
    [{ SMTP_URL: 'smtps://mail.example/#top' }, 'SMTP_URL must have # as %23'],
    [{ SMTP_URL: 'smtps://?pool=true' }, 'SMTP_URL must be an address such as'],
    [{ DATABASE_URL: 'postgres://me:12#34@db/contun' }, 'DATABASE_URL must have # as %23'],
    [{ DATABASE_URL: 'postgres://me:12%zz@db/contun' }, 'DATABASE_URL must have % as %25'],
    [
      { DATABASE_URL: 'postgres://db/contun', DATABASE_READ_URL: 'postgres://me:1/2@db/contun' },
      'DATABASE_READ_URL must have / as %2F',
    ],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must be an e-mail address'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of silent, error, warn, info, debug'],
    [{ PRODUCT_NAME: 'Two\nlines' }, 'PRODUCT_NAME must not have control characters'],
  ])('%j stops the start with one clear line', (env, line) => {
    expect(() => readConfig(env)).toThrow(line)
  })

  it.each([
    'smtp://relay:12%2334@127.0.0.1:2525',
    'smtps://relay:p@ss@mail.example',
    'smtps://writer%40agency.example:100%25@mail.example?pool=true',
    'smtp://localhost',
  ])('take the mail server %s', (SMTP_URL) => {
    expect(readConfig({ SMTP_URL }).smtpUrl).toBe(SMTP_URL)
  })

  it('are printed without the password of the mail server', () => {
    const config = readConfig({ SMTP_URL: 'smtps://writer:hunter2@mail.example:465' })
    expect(withoutSecrets(config).smtpUrl).toBe('smtps://***@mail.example:465')
  })

  it('are printed without the password of the database', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://writer:hunter2@db.example/contun?a=b',
      DATABASE_READ_URL: 'postgres://reader:hunter3@copy.example/contun',
    })
    const told = {
      engine: 'postgres',
      url: 'postgres://***@db.example/contun?***',
      readUrl: 'postgres://***@copy.example/contun',
      connections: 10,
    }
    expect(withoutSecrets(config).database).toEqual(told)
    expect(config).toMatchObject({ backups: false })
  })

  it('name the first admin', () => {
    expect(readFirstAdmin({})).toEqual({ email: 'admin@contun.example', password: null })
    const given = { ADMIN_EMAIL: 'Boss@Agency.example', ADMIN_PASSWORD: 'a long one' }
    expect(readFirstAdmin(given)).toEqual({ email: 'boss@agency.example', password: 'a long one' })
    expect(() => readFirstAdmin({ ADMIN_PASSWORD: 'short' })).toThrow('ADMIN_PASSWORD must be 8')
    expect(() => readFirstAdmin({ ADMIN_EMAIL: 'boss' })).toThrow('ADMIN_EMAIL must be')
  })
})

describe('the data folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contun-data-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const randomBytes = (count: number) => new Uint8Array(count).fill(7)
  const store = (isInstalled = false) => ({ dataDir: folder, isInstalled, randomBytes })

  it('gets both secrets at the first start, for the owner alone, and keeps them', () => {
    const keys = readKeys({}, store())
    for (const name of ['jwt-secret', 'password-pepper']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    }
    const later = { ...store(true), randomBytes: (count: number) => new Uint8Array(count) }
    expect(readKeys({}, later)).toEqual(keys)
  })

  it('gets none when the environment has them', () => {
    const secret = 'x'.repeat(32)
    const env = { JWT_SECRET: `${secret},${'y'.repeat(32)}`, PASSWORD_PEPPER: secret }
    const keys = readKeys(env, store())
    expect(keys.signing).toHaveLength(2)
    expect(Buffer.from(keys.pepper).toString()).toBe(secret)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused when the pepper of existing passwords is gone', () => {
    expect(() => readKeys({}, store(true))).toThrow('PASSWORD_PEPPER is not set and')
  })

  it('is refused with secrets that are too short', () => {
    expect(() => readKeys({ JWT_SECRET: 'thisisasamplesecret' }, store())).toThrow(
      'JWT_SECRET must',
    )
    writeFileSync(join(folder, 'jwt-secret'), 'short\n')
    expect(() => readKeys({}, store())).toThrow('must hold at least 32')
  })

  it('receives each mail as a file, which the log names', { tags: ['@Q24'] }, async () => {
    const lines: object[] = []
    const log: Log = { info: (fields) => void lines.push(fields), warn() {}, error() {} }
    const mailer = fileMailer({ ...testConfig, dataDir: folder }, log, () => 'mail-1')
    await mailer.send({
      to: 'imogen@larkspur.example',
      subject: 'Grüße',
      text: 'https://articles.example/reset-password?token=abc',
      html: '<a href="https://articles.example/reset-password?token=abc">x</a>',
    })
    const file = join(folder, 'mail', 'mail-1.eml')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('To: imogen@larkspur.example')
    expect(text).toContain('From: =?UTF-8?Q?Cont=C5=ABn_Articles?= <articles@contun.example>')
    expect(text).toMatch(/token=(3D)?abc/)
    expect(lines).toEqual([{ file }])
  })
})
