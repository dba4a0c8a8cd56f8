import type { Ports } from '../ports.ts'
import { saveHeaders } from '../protocol/save-headers.ts'
import type { SentKey } from '../store/database.ts'
import { bodyOf } from '../store/new-entries.ts'
import type { TextStats } from '../store/text-stats.ts'
import { type Base, conditionOf, type Origin } from './write-draft.ts'

/** A browser sends at most 64 KiB for closed pages. */
const BYTES_MAX = 60_000

type KeyedText = Pick<TextStats, 'doc' | 'hash'> & { key: string }

/**
 * The last save of a page that is being hidden: one request, whose response is never read. The queue continues with the
 * same text and key, here or after the next start, so the server only ever receives a retry of it. The queue finds out
 * whether it arrived, was lost or was refused.
 */
export type KeepaliveSave = {
  /** Sends the text, once for all events of one page closing. */
  send(text: KeyedText, origin: Origin): void
  /** A text that is not written yet, under the key that it is sent with. */
  unsaved(text: TextStats): KeyedText
  /** The text that was written last; null when the server is known to have it. */
  unsent(base: Base): KeyedText | null
  /** The draft has this text now; null when it has another than this editor wrote. */
  written(text: KeyedText | null): void
  /** The key that the text was sent under; null when it was not. */
  keyOf(hash: string): string | null
  /** The key of the text that was written last, while nothing was sent under it here. */
  unusedKey(): string | null
  /**
   * Texts other than this one that were sent since the last write and that no row has. If the queue does not list them,
   * the text typed on from them would be merged with them as with another writer's.
   */
  sentBefore(hash: string): SentKey[]
}

/** In UTF-8, where one unit of a string takes three bytes at most. */
const bytesAtMost = (text: string): number => text.replace(/[\u0080-\uffff]/g, '   ').length

export function createKeepaliveSave({ sendLast, newId }: Ports, articleId: string): KeepaliveSave {
  let sent: KeyedText | null = null
  let latest: KeyedText | null = null
  let unsaved: SentKey[] = []
  const usedKeys = new Set<string>()

  function send(text: KeyedText, { base, epoch }: Origin): void {
    if (sent?.key === text.key) return
    sent = text
    usedKeys.add(text.key)
    const body = bodyOf(text.doc)
    if (bytesAtMost(body) >= BYTES_MAX) return
    if (text.key !== latest?.key) unsaved.push({ key: text.key, hash: text.hash })
    sendLast({
      method: 'PATCH',
      path: `/articles/${articleId}`,
      body,
      headers: {
        ...saveHeaders({ key: text.key, ifMatch: conditionOf(base) }, epoch),
        Prefer: 'return=minimal',
      },
    })
  }

  const sentBefore = (hash: string) => unsaved.filter((one) => one.hash !== hash)
  const keyOf = (hash: string): string | null => (sent?.hash === hash ? sent.key : null)

  return {
    send,
    unsaved: ({ doc, hash }) => ({ doc, hash, key: keyOf(hash) ?? newId() }),
    unsent: ({ baseHash }) => (latest?.hash === baseHash ? null : latest),
    written(text) {
      latest = text
      unsaved = []
      // The same text, typed again after another one, is a new change: the old key would only return its stored
      // response.
      if (sent?.hash !== text?.hash) sent = null
    },
    keyOf,
    sentBefore,
    unusedKey: () => (latest && !usedKeys.has(latest.key) ? latest.key : null),
  }
}
