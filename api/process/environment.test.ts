import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '../config.ts'
import { misspeltSettings, readEnvironment } from './environment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contun-environment-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('the settings of a run', () => {
  it('are read from .env, and those of the process override it', () => {
    write(
      '.env',
      '# mine\nPORT=4000\nPRODUCT_NAME="Ink & Quill" # shown\nAGENCY_NAME=\'Ash\'\nexport HOST=0.0.0.0\n',
    )
    expect(readEnvironment({ PORT: '5000' }, { LOG_LEVEL: 'warn', HOST: 'x' }, folder)).toEqual({
      PORT: '5000',
      PRODUCT_NAME: 'Ink & Quill',
      AGENCY_NAME: 'Ash',
      HOST: '0.0.0.0',
      LOG_LEVEL: 'warn',
    })
  })

  it('are those of the process where there is no .env', () => {
    expect(readEnvironment({ PORT: '5000' }, {}, folder)).toEqual({ PORT: '5000' })
  })

  it.each(['JWT_SECRET', 'PASSWORD_PEPPER', 'SMTP_URL', 'DATABASE_URL', 'METRICS_TOKEN'])(
    '%s may be in a file',
    (name) => {
      const file = write('secret', 'a secret of its own \r\n')
      expect(readEnvironment({ [`${name}_FILE`]: file })[name]).toBe('a secret of its own ')
      write('.env', `${name}_FILE=${file}\n`)
      expect(readEnvironment({}, {}, folder)[name]).toBe('a secret of its own ')
    },
  )

  it('are refused where a file of a secret is missing, or the secret is given twice', () => {
    const file = join(folder, 'none')
    expect(() => readEnvironment({ SMTP_URL_FILE: file })).toThrow('SMTP_URL_FILE cannot be read')
    const twice = { SMTP_URL_FILE: write('smtp', 'smtp://localhost'), SMTP_URL: 'smtp://other' }
    expect(() => readEnvironment(twice)).toThrow('SMTP_URL_FILE must not be set where SMTP_URL is')
    expect(readEnvironment({ ...twice, SMTP_URL: '' }).SMTP_URL).toBe('smtp://localhost')
  })
})

describe('a misspelt setting', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['BACKUP', 'BACKUPS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUST_PROXIES', 'TRUSTED_PROXIES'],
    ['TRUST_PROXY', undefined],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['PASSWORD_PEPER_FILE', 'PASSWORD_PEPPER_FILE'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['REFRESH_TOKENS_DAY', 'REFRESH_TOKEN_DAYS'],
  ])('%s is reported with %s', (name, nearest) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual(nearest ? [{ name, nearest }] : [])
  })

  it('is neither one of ours nor a variable of another program', () => {
    const others =
      'PATH HOME HOSTNAME POSTGRES_PASSWORD NODE_ENV NODE_OPTIONS PWD SORT HOSTS PGPORT XDG_DATA_DIRS DATABASE MAIL LOGNAME SMTP npm_config_port XDG_DATA_HOME NPM_TOKEN JAVA_HOME LOG_FILE INVOCATION_ID'
    const names = [...others.split(' '), ...SETTING_NAMES, 'SMTP_URL_FILE']
    expect(misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
  })
})
