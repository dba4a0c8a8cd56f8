import type { User } from '../../../../domain/wire/users.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import { readKeptText } from '../../../../sync/status/kept-text.ts'
import { notices } from '../../../app/notices.ts'
import type { Workspace } from '../../../app/workspace.ts'
import { momentOf } from '../../../ui/words/moment.ts'

type Asked = {
  /** Why the server could not be asked. */
  error: unknown
  articleId: string
  user: User
  workspace: Workspace
  now: number
}

/** The text that this computer has, in place of the server's. Rejects with `error` where it has none. */
export async function readHere({ error, articleId, user, workspace, now }: Asked) {
  if (!(error instanceof NoAnswer)) throw error
  const { database } = await workspace.open(user)
  const kept = await readKeptText(database, articleId)
  if (!kept) throw error
  const { day, time } = momentOf(new Date(kept.at), new Date(now))
  notices.info('No connection', `The file has the text on this computer. ${day}, ${time}.`)
  return { name: kept.name, articleText: kept.text }
}
