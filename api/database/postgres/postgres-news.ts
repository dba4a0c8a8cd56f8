import pg from 'pg'
import type { DatabaseSources, NodeListener } from '../open-database.ts'
import { CHANGES_CHANNEL } from './postgres-changes.ts'

/** Channel of the texts that nodes send each other. */
export const TEXTS_CHANNEL = 'contun_texts'

/** The pause between attempts stops growing after this many. */
const TRIES_COUNTED = 7

/**
 * Listens to all nodes. After every reconnect something may have changed, because notifications during the outage are
 * lost. Returns a function that stops listening.
 */
export function listenToNodes(
  url: string,
  { log, pause }: DatabaseSources,
  { changed, received }: NodeListener,
): () => Promise<void> {
  let isOver = false
  let hangUp = async () => {}

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      application_name: 'contun-articles news',
      keepAlive: true,
    })
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.on('error', () => resolve())
    })
    hangUp = () => client.end().catch(() => {})
    try {
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === TEXTS_CHANNEL) received(payload)
        else changed()
      })
      await client.connect()
      await client.query(`listen ${CHANGES_CHANNEL}; listen ${TEXTS_CHANNEL}`)
      changed()
      await lost
    } finally {
      await hangUp()
    }
  }

  async function keepListening(): Promise<void> {
    for (let tries = 1; !isOver; tries = Math.min(tries + 1, TRIES_COUNTED)) {
      try {
        await listen()
        tries = 0
      } catch (err) {
        log.warn({ err }, 'Notifications by other nodes are unavailable, so changes are polled')
      }
      if (!isOver) await pause(tries)
    }
  }

  const over = keepListening()
  return async () => {
    isOver = true
    await hangUp()
    await over
  }
}
