import { FILE_DATES } from '../../domain/calendar/file-dates.ts'
import { actorName, plainSentence } from '../../domain/log-words.ts'
import { LOG_KINDS, type LogFilter, type LogKind } from '../../domain/wire/log.ts'
import { logEntries } from '../audit/log-entries.ts'
import { listLog } from '../audit/log-rows.ts'
import type { Database } from '../deps.ts'
import { isId } from '../http/read-query.ts'
import { findUserByEmail } from '../users/user-rows.ts'
import { CommandError } from './command-error.ts'

const COUNT_DEFAULT = 50
const COUNT_MAX = 1_000

export const LOG_USAGE = [
  'npm run admin -- log [COUNT] [--article ID] [--person EMAIL] [--kind KIND]',
  `                                        the last entries, ${COUNT_DEFAULT} or COUNT; KIND is ${Object.keys(LOG_KINDS).join(', ')}`,
]

/** The last entries as lines, the oldest first. Undefined where the words are not understood. */
export async function showLog(db: Database, words: readonly string[]): Promise<string | undefined> {
  const asked = await readWords(db, words)
  if (asked === undefined) return undefined
  const { entries } = await listLog(db, asked.filter, { page: 1, limit: asked.limit })
  if (entries.length === 0) return 'There is no such entry.'
  const lines = (await logEntries(db, entries, { isOfAgency: true })).map(
    (entry) =>
      `${FILE_DATES.timeOf(entry.at)}  ${actorName(entry)} ${plainSentence(entry, FILE_DATES)}`,
  )
  return lines.reverse().join('\n')
}

async function readWords(db: Database, words: readonly string[]) {
  const isCounted = /^\d+$/.test(words[0] ?? '')
  const limit = isCounted ? Number(words[0]) : COUNT_DEFAULT
  const rest = isCounted ? words.slice(1) : words
  if (limit < 1 || limit > COUNT_MAX || rest.length % 2 > 0) return undefined
  const filter: LogFilter = {}
  for (let at = 0; at < rest.length; at += 2) {
    const [name, value = ''] = [rest[at], rest[at + 1]]
    if (name === '--article' && isId(value)) filter.articleId = value
    else if (name === '--person') filter.userId = await userIdOf(db, value)
    else if (name === '--kind' && isKind(value)) filter.kind = value
    else return undefined
  }
  return { filter, limit }
}

const isKind = (text: string): text is LogKind => Object.hasOwn(LOG_KINDS, text)

async function userIdOf(db: Database, email: string): Promise<string> {
  const user = await findUserByEmail(db, email.trim().toLowerCase())
  if (user === undefined) throw new CommandError(`There is no account with ${email}`)
  return user.id
}
