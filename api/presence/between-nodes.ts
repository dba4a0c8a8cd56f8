import * as z from 'zod'
import { presenceBody } from '../../domain/wire/presence.ts'
import type { Report } from './open-articles.ts'

/** The texts by which nodes pass on reports. */

const SHARE_MS = 100
/** A notification of PostgreSQL has at most 8,000 bytes. */
const BYTES_MAX = 7_000

export type ShareSources = {
  /** Names this node among the others. */
  nodeId: string
  /** Sends a short text to the other nodes; null when there are none. */
  send: ((text: string) => void) | null
  after(ms: number, callback: () => void): () => void
}

/** Returns a function that passes on a report, many together. */
export function createShare({ nodeId, send, after }: ShareSources): (report: Report) => void {
  const waiting = new Map<string, Report>()
  return (report) => {
    if (send === null) return
    const isPlanned = waiting.size > 0
    waiting.set(report.sessionId, report)
    if (isPlanned) return
    after(SHARE_MS, () => {
      const texts = messagesOf(nodeId, [...waiting.values()])
      waiting.clear()
      for (const text of texts) send(text)
    })
  }
}

const messageSchema = z.strictObject({
  nodeId: z.string(),
  reports: z.array(
    z.strictObject({
      sessionId: z.string(),
      userId: z.string(),
      name: z.string(),
      isAdmin: z.boolean(),
      articles: presenceBody.shape.articles,
    }),
  ),
})

/** Texts of at most BYTES_MAX; one report is always shorter. */
export function messagesOf(nodeId: string, reports: readonly Report[]): string[] {
  const groups: Report[][] = []
  let room = 0
  for (const report of reports) {
    const bytes = Buffer.byteLength(JSON.stringify(report)) + 1
    if (bytes > room) {
      groups.push([])
      room = BYTES_MAX
    }
    groups.at(-1)?.push(report)
    room -= bytes
  }
  return groups.map((group) => JSON.stringify({ nodeId, reports: group }))
}

/** The reports that another node took. None of this node's own, and none in a message of another release. */
export function reportsIn(text: string, nodeId: string): readonly Report[] {
  try {
    const message = messageSchema.parse(JSON.parse(text))
    return message.nodeId === nodeId ? [] : message.reports
  } catch {
    return []
  }
}
