import { existsSync, statSync } from 'node:fs'
import { pepperFinding } from '../../accounts/pepper.ts'
import { MAIL_DELIVERY, type MailDelivery } from '../../mail/mail-delivery-rows.ts'
import { mailFinding } from '../../mail/mail-finding.ts'
import type { Expected, Finding } from '../../operations/findings.ts'
import {
  ADMINS_WITHOUT_SECOND_STEP,
  type AdminCounts,
  secondStepFinding,
} from '../../second-step/second-step-finding.ts'
import type { MetaKey } from '../meta-rows.ts'
import Sqlite from './better-sqlite3.ts'
import { wasStopped } from './sqlite.ts'
import { faultOf, foreignJournal, isJournalGone, journalBytes, tableNames } from './sqlite-check.ts'

const PRAGMAS = ['journal_mode', 'page_size', 'page_count', 'freelist_count', 'encoding']

/** Findings about a database file, whether or not a server uses it. Reads the whole file. */
export function examineSqlite(file: string, expected: Expected): Finding[] {
  if (!existsSync(file))
    return [{ name: 'database', isWell: false, says: `${file} does not exist` }]
  // Opening it would write a foreign journal into it.
  const fault = isJournalGone(file, wasStopped(file)) ? GONE : foreignJournal(file)
  if (fault !== null) return [{ name: 'journal', isWell: false, says: fault }]
  return examineSound(file, expected)
}

const GONE = 'its journal was removed after the server had died: the last changes may be missing'

function examineSound(file: string, expected: Expected): Finding[] {
  const fault = faultOf(file)
  return [
    { name: 'database', isWell: true, says: `${file}, ${megabytes(statSync(file).size)}` },
    { name: 'journal', isWell: true, says: journal(file) },
    { name: 'integrity', isWell: fault === null, says: fault ?? 'every page and every reference' },
    ...(fault === null ? contents(file, expected) : []),
  ]
}

const journal = (file: string): string =>
  `${megabytes(journalBytes(file))}${wasStopped(file) ? '' : '; a server has the file, or died with it'}`

function contents(file: string, { pepper, config }: Expected): Finding[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    const pragmas = PRAGMAS.map((name) => `${name} ${sqlite.pragma(name, { simple: true })}`)
    const counts = tableNames(sqlite).map((name) => `${name} ${count(sqlite, name)}`)
    return [
      { name: 'settings', isWell: true, says: pragmas.join(', ') },
      { name: 'rows', isWell: true, says: counts.join(', ') },
      pepperFinding(notedPepper(sqlite), pepper),
      ...secondStep(sqlite, config),
      ...mails(sqlite),
    ]
  } finally {
    sqlite.close()
  }
}

/** Nothing for tables of an earlier release. */
function secondStep(sqlite: Sqlite.Database, config: Expected['config']): Finding[] {
  if (!tableNames(sqlite).includes('passkeys')) return []
  const counts = sqlite.prepare<[], AdminCounts>(ADMINS_WITHOUT_SECOND_STEP).get()
  return counts === undefined ? [] : [secondStepFinding(config, counts)]
}

/** Nothing for tables of an earlier release. */
function mails(sqlite: Sqlite.Database): Finding[] {
  if (!tableNames(sqlite).includes('article_mails')) return []
  const delivery = sqlite.prepare<[], MailDelivery>(MAIL_DELIVERY).get()
  return delivery === undefined ? [] : [mailFinding(delivery)]
}

/** The stored fingerprint of the pepper; undefined when there is none. */
export function notedPepper(sqlite: Sqlite.Database): string | undefined {
  if (!tableNames(sqlite).includes('meta')) return undefined
  const key: MetaKey = 'pepper_fingerprint'
  return sqlite.prepare<[string], string>('select value from meta where key = ?').pluck().get(key)
}

/** When the tables were created, in milliseconds since 1970; null where that cannot be read. */
export function installedAt(file: string): number | null {
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(file, { readonly: true, fileMustExist: true })
    const at = sqlite.prepare('select min(applied_at) from migrations').pluck().get()
    return typeof at === 'string' ? Date.parse(at) : null
  } catch {
    return null
  } finally {
    sqlite?.close()
  }
}

const count = (sqlite: Sqlite.Database, table: string): unknown =>
  sqlite.prepare(`select count(*) from "${table}"`).pluck().get()

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
