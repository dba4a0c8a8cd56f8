import { createStore, type StoreApi } from 'zustand/vanilla'

/** What this tab knows of the way to the server. No text waits for it, only a completion while `cutOff`. */
export type ConnectionState = {
  /** The browser reports no network, and no request of this tab has had a response since. */
  cutOff: boolean
  /** The last request of this tab had no response. */
  unanswered: boolean
  /** How far the server's clock is ahead of this computer's, in milliseconds; less than a minute counts as none. */
  serverAheadMs: number
}

export type Connection = {
  store: StoreApi<ConnectionState>
  /** Records the start of a request; returns a function to call with its outcome. */
  begin: BeginExchange
  /** The browser says that the network is gone. It may be wrong. */
  lose(): void
  /** The browser says that there is one. */
  find(): void
}

/** A caller that abandons its request need not report an outcome. */
export type BeginExchange = () => (answered: boolean, serverTime?: string | null) => void

const A_MINUTE_MS = 60_000

export function createConnection(cutOff: boolean, now: () => number): Connection {
  const store = createStore<ConnectionState>(() => ({
    cutOff,
    unanswered: false,
    serverAheadMs: 0,
  }))
  let losses = 0
  return {
    store,
    begin() {
      const known = losses
      return (answered, serverTime) => {
        const ahead = Math.trunc((Date.parse(serverTime ?? '') - now()) / A_MINUTE_MS) * A_MINUTE_MS
        if (!Number.isNaN(ahead)) store.setState({ serverAheadMs: ahead })
        if (!answered) store.setState({ unanswered: true })
        // A response to a request from before the network was lost does not show that there is a connection.
        else if (known === losses) store.setState({ cutOff: false, unanswered: false })
      }
    },
    lose() {
      losses += 1
      store.setState({ cutOff: true })
    },
    find: () => store.setState({ cutOff: false, unanswered: false }),
  }
}
