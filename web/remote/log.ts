import type { List } from '../../domain/wire/fields.ts'
import type { LogEntry, LogFilter } from '../../domain/wire/log.ts'
import type { Send } from '../../sync/ports.ts'
import { createGetList, queryOf } from './lists.ts'

type LogRequest = LogFilter & { page?: number; limit: number }

/** One page of the log, newest first. Rejects with Refused or NoAnswer. */
export type ReadLog = (request: LogRequest, abandoned?: Promise<void>) => Promise<List<LogEntry>>

/** The log of the whole agency. */
export function createReadLog(send: Send): ReadLog {
  const getList = createGetList(send)
  return (request, abandoned) => getList(`/log?${queryOf(request)}`, abandoned)
}

/** What happened to one article. */
export const readArticleLog = (
  send: Send,
  articleId: string,
  limit: number,
  abandoned: Promise<void>,
): Promise<List<LogEntry>> =>
  createGetList(send)(`/articles/${encodeURIComponent(articleId)}/log?limit=${limit}`, abandoned)
