import { create } from 'zustand'
import { RequestCallFailed } from '../../sync/auth/authenticated-send.ts'
import { NoAnswer } from '../../sync/ports.ts'
import { Refused } from '../remote/http.ts'
import { GENERAL_ERROR, refusalWords } from '../ui/words/refusal-words.ts'

export type NoticeKind = 'success' | 'error' | 'info'
export type NoticeAction = { label: string; run: () => void }
export type Notice = {
  id: number
  kind: NoticeKind
  title: string
  details: string
  /** What it is about, never shown: there is one notice per subject. */
  subject: string
  /** Underlined buttons below the details. */
  actions: readonly NoticeAction[]
}

/** `subject` is the title where none is given. */
type NoticeOptions = { subject?: string; actions?: readonly NoticeAction[] }

type NoticesState = {
  /** Oldest first. */
  list: Notice[]
  /** The app-wide loading flag: starts true, each screen ends it after its data arrived (spec section 4). */
  loading: boolean
}

/** Snackbars and the loading flag. Read with `useNotices`, changed only through `notices`. */
export const useNotices = create<NoticesState>(() => ({ list: [], loading: true }))

let lastId = 0

export const notices = {
  success: (title: string, details?: string, options?: NoticeOptions) =>
    add('success', title, details, options),
  info: (title: string, details: string, options?: NoticeOptions) =>
    add('info', title, details, options),
  error: (title: string, details?: string, options?: NoticeOptions) =>
    add('error', title, details, options),
  /** The snackbar of a failed call: `title` belongs to a refusal by the server (spec section 8). */
  fail(title: string, error: unknown, subject = title) {
    const { title: shown, details } = failureTexts(title, error)
    return add('error', shown, details, { subject })
  },
  /** What failed under this subject has succeeded since. */
  succeed(subject: string) {
    useNotices.setState(({ list }) => ({
      list: list.filter((notice) => notice.kind !== 'error' || notice.subject !== subject),
    }))
  },
  /** Runs `run`, which may fail on this device; reports a failure as `fail` does. */
  async attempt(title: string, run: () => unknown) {
    try {
      await run()
    } catch (error) {
      notices.fail(title, error)
    }
  },
  close(id: number) {
    useNotices.setState(({ list }) => ({ list: list.filter((notice) => notice.id !== id) }))
  },
  /** The route changed: errors belong to the page that is left, the rest stays (spec section 4). */
  leavePage() {
    useNotices.setState(({ list }) => ({ list: list.filter(({ kind }) => kind !== 'error') }))
  },
  startLoading: () => useNotices.setState({ loading: true }),
  endLoading: () => useNotices.setState({ loading: false }),
}

/**
 * Replaces the notice of the same subject. One with the same words goes as well: during an outage every call fails
 * alike, whatever it was about. Returns its id.
 */
function add(
  kind: NoticeKind,
  title: string,
  details = GENERAL_ERROR,
  { subject = title, actions = [] }: NoticeOptions = {},
): number {
  lastId += 1
  const notice = { id: lastId, kind, title, details: refusalWords(details), subject, actions }
  const isReplaced = (other: Notice) =>
    other.subject === subject || (other.title === title && other.details === notice.details)
  useNotices.setState(({ list }) => ({
    list: [...list.filter((other) => !isReplaced(other)), notice],
  }))
  return lastId
}

/** Title and details by spec section 8: without a response from the server the title is 'Error'. */
function failureTexts(title: string, error: unknown): { title: string; details: string } {
  if (error instanceof Refused) return { title, details: error.message }
  if (error instanceof RequestCallFailed) return { title: 'Error', details: error.message }
  if (error instanceof NoAnswer) {
    return { title: 'Error', details: 'An unexpected error has occured.' }
  }
  return { title, details: GENERAL_ERROR }
}
