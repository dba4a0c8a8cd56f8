import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { useLocation } from 'react-router-dom'
import { type StoreApi, useStore } from 'zustand'
import type { Session } from '../../domain/wire/users.ts'
import type { Clock, Send } from '../../sync/ports.ts'
import type { LocalDatabase } from '../../sync/store/database.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import type { Accounts } from '../remote/accounts.ts'
import type { Connection } from './connection.ts'
import type { LeaveHold } from './leave-hold.ts'
import type { Local } from './local.ts'
import type { Names } from './names.ts'
import { notices } from './notices.ts'
import type { PreloadedArticle } from './preloaded-article.ts'
import type { Sessions } from './session.ts'
import type { SignOut } from './sign-out.ts'
import type { Workspace } from './workspace.ts'

/** Everything with an effect that screens use. Built once in web/main.tsx. */
export type App = {
  names: Names
  clock: Clock
  /** One call to /v1 with the session's token and, on 401, one refresh. */
  send: Send
  accounts: Accounts
  sessions: Sessions
  connection: Connection
  workspace: Workspace
  preloadedArticle: PreloadedArticle
  /** Loads the code that reads the local data of users who are not signed in. */
  local: () => Promise<Local>
  /** Whether any user ever signed in on this device; true when that is unknown. */
  wasUsedHere: () => Promise<boolean>
  signOut: SignOut
  /** Undefined on pages over plain http. */
  storageManager: StorageManager | undefined
  /** Whether the browser installs apps: such a one decides about persistent storage without asking the user. */
  installsApps: boolean
  /** What it offers of that now. */
  installOffer: StoreApi<InstallOffer | null>
  /** Sets the badge of the app icon; 0 clears it. Null when the app is not installed or badges are not supported. */
  showBadge: ((count: number) => void) | null
  /** The browser's local storage; one that forgets with the page where the user lets sites keep nothing. */
  storage: Storage
  /** The storage of this tab, which a reload keeps. */
  tabStorage: Storage
  /** Those of the browser, the first ones preferred. */
  languages: readonly string[]
  /** Whether the user asked to see the app in windows that are too small for it. */
  shownAnyway: StoreApi<boolean>
  /** Shows it in them from now on, also in the tabs that are opened later; `false` goes back to the notice. */
  showAnyway: (wanted: boolean) => void
  leaveHold: LeaveHold
  /** A new id, unique everywhere. */
  newId: () => string
  /** Starts the worker that reads uploaded lists. */
  openCsvWorker: () => Worker
  /** Starts the worker that writes an archive of articles. */
  openZipWorker: () => Worker
  /** Starts the worker that compares the versions of a text. */
  openRecordWorker: () => Worker
  /** Writes what is open, then loads the page again without what may be damaged of its files. */
  loadAgain: () => void
  /** Saves text, or a file with a type of its own, on the user's device. */
  saveFile: (name: string, content: string | Blob) => void
}

/** An event of browsers that install apps, which the DOM types do not describe. */
export type InstallOffer = { prompt(): unknown }

const AppContext = createContext<App | null>(null)
const SyncContext = createContext<SyncClient | null>(null)

export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>
}

/** The client area wraps its pages in this once the local database is open. */
export function SyncProvider({ client, children }: { client: SyncClient; children: ReactNode }) {
  return <SyncContext value={client}>{children}</SyncContext>
}

export const useApp = (): App => present(useContext(AppContext), 'AppProvider')
export const useNames = (): Names => useApp().names
export const useClock = (): Clock => useApp().clock
export const useSend = (): Send => useApp().send

/** The sync core of the signed-in user. Only inside the client area. */
export const useSync = (): SyncClient => present(useContext(SyncContext), 'SyncProvider')
export const useDatabase = (): LocalDatabase => useSync().database

/** Writes open texts to disk, then reloads the page, which opens a newer version of the app. */
export function useReload(): () => void {
  const sync = useSync()
  return () => void sync.flush().finally(() => window.location.reload())
}

/** Null when no user is signed in. */
export const useSession = (): Session | null =>
  useStore(useApp().sessions.store, (state) => state.session)

/** The session inside the guarded areas; for a moment after a sign-out it is the last one known. */
export function useSignedIn(): Session {
  const session = useSession()
  const [last, setLast] = useState(session)
  if (session && session !== last) setLast(session)
  return present(session ?? last, 'a session')
}

/** The current time in milliseconds since 1970, updated every `ms`. */
export function useNow(ms: number): number {
  const clock = useClock()
  const [now, setNow] = useState(clock.now)
  useEffect(() => {
    let cancel = clock.after(ms, tick)
    function tick() {
      setNow(clock.now())
      cancel = clock.after(ms, tick)
    }
    return () => cancel()
  }, [clock, ms])
  return now
}

/**
 * Whether `time` (milliseconds since 1970) has passed, after `mostMs` at the latest, whatever the clock says; false for
 * null.
 */
export function useIsPast(time: number | null, mostMs: number): boolean {
  const clock = useClock()
  const [past, setPast] = useState<number | null>(null)
  useEffect(() => {
    if (time === null) return undefined
    return clock.after(Math.min(Math.max(0, time - clock.now()), mostMs), () => setPast(time))
  }, [clock, time, mostMs])
  return time !== null && past === time
}

/** The title of the browser's tab. */
export function usePageTitle(page: string): void {
  const { productName } = useNames()
  useEffect(() => {
    document.title = page === '' ? productName : `${page} · ${productName}`
    // As a CSS string: print.css sets it at the foot of every sheet of paper.
    document.documentElement.style.setProperty('--page-title', JSON.stringify(page || productName))
  }, [page, productName])
}

/** Ends the app-wide loading flag of this page once `arrived`: data, a local copy or a failure (Q12). */
export function useLoaded(arrived = true): void {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the flag is reset for every path
  useLayoutEffect(() => {
    if (arrived) notices.endLoading()
  }, [arrived, pathname])
}

function present<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`Used outside of ${what}`)
  return value
}
