import type { Config } from '../config.ts'

/** So many in a window of time that begins with the first one. */
export type Limit = { readonly name: string; readonly most: number; readonly windowMs: number }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** By account and network: these failures are free, each further one makes the pause twice as long. */
export const FREE_FAILURES = 5
export const FIRST_PAUSE_MS = SECOND
export const LONGEST_PAUSE_MS = 15 * MINUTE
/** How long failures of an account and a network are remembered. */
export const FAILURES_WINDOW_MS = DAY

/** Concurrent password hashes, running or queued, of one network, or of changes by one user. */
export const HASHES_AT_ONCE = 4

/** Failed logins of one network. */
export const LOGIN_NETWORK: Limit = { name: 'login-network', most: 30, windowMs: 15 * MINUTE }
/** Failed logins with the cookie of a device that signed in to this account before. */
export const LOGIN_DEVICE: Limit = { name: 'login-device', most: 10, windowMs: HOUR }

/** Failed logins of one account from devices that never signed in to it. */
export const loginAccountLimit = ({ loginAccountDaily: most }: Config): Limit => ({
  name: 'login-account',
  most,
  windowMs: DAY,
})

/** Wrong second steps, counted as failed logins are, of people who know the password. */
export const SECOND_STEP_NETWORK: Limit = { ...LOGIN_NETWORK, name: 'second-step-network' }
export const SECOND_STEP_DEVICE: Limit = { ...LOGIN_DEVICE, name: 'second-step-device' }
export const SECOND_STEP_ACCOUNT: Limit = { name: 'second-step-account', most: 100, windowMs: DAY }
/** Passwords that one user confirms to change the second step. */
export const CONFIRMED_PASSWORD: Limit = { name: 'confirmed-password', most: 20, windowMs: HOUR }

export const registerLimit = ({ registerHourly: most }: Config): Limit => ({
  name: 'register',
  most,
  windowMs: HOUR,
})

export const FORGOT_NETWORK: Limit = { name: 'forgot-network', most: 10, windowMs: HOUR }
export const FORGOT_ACCOUNT: Limit = { name: 'forgot-account', most: 3, windowMs: HOUR }
/** Password changes of one user, who is notified of each by mail. */
export const OWN_PASSWORD: Limit = { name: 'own-password', most: 10, windowMs: HOUR }
/** Invitations to one account. */
export const INVITATION: Limit = { name: 'invitation', most: 5, windowMs: HOUR }
/** Invitations of the whole server: they leave room for other mails. */
export const INVITATIONS: Limit = { name: 'invitations', most: 100, windowMs: HOUR }
/** Links of invitations that one network opens. */
export const INVITATION_LINKS: Limit = { name: 'invitation-links', most: 60, windowMs: HOUR }
/** Refused links of one network: a whole office may set its passwords in one hour. */
export const RESET: Limit = { name: 'reset', most: 10, windowMs: HOUR }
/** Mails of the whole server. */
export const MAIL: Limit = { name: 'mail', most: 200, windowMs: HOUR }
/** Mails per hour to addresses that no account has proved to be its own. The rest is reserved for proven ones. */
export const MAIL_UNPROVEN: Limit = { name: 'mail-unproven', most: 50, windowMs: HOUR }

/** Mails about articles; the rest is reserved for mails about accounts. */
export const MAIL_OF_ARTICLES: Limit = { name: 'mail-of-articles', most: 150, windowMs: HOUR }

export const REFRESH_SESSION: Limit = { name: 'refresh-session', most: 30, windowMs: 5 * MINUTE }
export const REFRESH_NETWORK: Limit = { name: 'refresh-network', most: 300, windowMs: 5 * MINUTE }

/** Calls without a session, by network. */
export const UNSIGNED: Limit = { name: 'unsigned', most: 120, windowMs: MINUTE }

/** Calls of one session; never by network, because a whole office may share one. */
export const SESSION: Limit = { name: 'session', most: 300, windowMs: MINUTE }
export const SESSION_BURST: Limit = { name: 'session-burst', most: 60, windowMs: SECOND }
/** Streams of news that one session opens; one stays open for long. */
export const STREAMS: Limit = { name: 'streams', most: 30, windowMs: MINUTE }
/** Reports of open articles: three a minute, and while others are there one every two seconds at most. */
export const PRESENCE: Limit = { name: 'presence', most: 60, windowMs: MINUTE }
export const SAVES: Limit = { name: 'saves', most: 120, windowMs: MINUTE }
/**
 * Changes in batches, apart from saves: a client comes back online with some hundred of them at once, and those that it
 * has to postpone are shown as not saved. Each costs the server less than a save.
 */
export const BATCHED_SAVES: Limit = { name: 'batched-saves', most: 600, windowMs: MINUTE }
/** Each is read whole before its changes are counted. A client sends fifty changes per batch. */
export const BATCHES: Limit = { name: 'batches', most: 60, windowMs: MINUTE }
export const LISTS: Limit = { name: 'lists', most: 120, windowMs: MINUTE }
export const CREATES_AND_DELETES: Limit = { name: 'changes', most: 60, windowMs: MINUTE }
/** Texts that an article did not take. */
export const UNDELIVERED_TEXTS: Limit = { name: 'undelivered-texts', most: 30, windowMs: HOUR }
export const LARGE_UNDELIVERED_TEXTS: Limit = {
  name: 'large-undelivered-texts',
  most: 10,
  windowMs: HOUR,
}
/** Calls with one token of a program. */
export const PROGRAM: Limit = { name: 'program', most: 120, windowMs: MINUTE }
/** Notes to articles, and changes of them. */
export const NOTES: Limit = { name: 'notes', most: 300, windowMs: HOUR }
export const KEYWORD_LISTS: Limit = { name: 'keywords', most: 20, windowMs: MINUTE }

const MEGABYTE = 1024 * 1024

/** Bytes that one session may send and be sent. Sixty saves of the longest text are fewer. */
export const SESSION_BYTES: Limit = { name: 'bytes', most: 128 * MEGABYTE, windowMs: MINUTE }
/** Bytes of unread responses per session. A single longer response is still sent. */
export const ANSWERS_OF_SESSION = 16 * MEGABYTE
/**
 * The same of all sessions together. Short responses are sent beyond it, so that slow readers block no other session.
 */
export const ANSWERS_OF_ALL = 96 * MEGABYTE
export const SHORT_ANSWER = 256 * 1024
