import { createStore, type StoreApi } from 'zustand/vanilla'

/** What this tab knows of the way to the server. No text waits for it, only a completion while `cutOff`. */
export type Connection = StoreApi<{
  /** The browser says that there is no network at all. */
  cutOff: boolean
  /** The last exchange of this tab was not answered. */
  unanswered: boolean
}>

export const createConnection = (cutOff: boolean): Connection =>
  createStore(() => ({ cutOff, unanswered: false }))
