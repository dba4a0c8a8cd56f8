import type { Dates } from '../../../../domain/calendar/dates.ts'
import { moment } from '../../../../domain/calendar/moments.ts'
import type { User } from '../../../../domain/wire/users.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import { readKeptText } from '../../../../sync/status/kept-text.ts'
import { notices } from '../../../app/notices.ts'
import type { Workspace } from '../../../app/workspace.ts'

type Asked = {
  /** Why the server could not be asked. */
  error: unknown
  articleId: string
  user: User
  workspace: Workspace
  dates: Dates
  now: number
}

/** The text that this computer has, in place of the server's. Rejects with `error` where it has none. */
export async function readHere({ error, articleId, user, workspace, dates, now }: Asked) {
  if (!(error instanceof NoAnswer)) throw error
  const { database } = await workspace.open(user)
  const kept = await readKeptText(database, articleId)
  if (!kept) throw error
  notices.info(
    'No connection',
    `The file has the text on this computer. ${moment(kept.at, now, dates)}.`,
  )
  return { name: kept.name, articleText: kept.text }
}
