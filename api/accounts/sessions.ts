import type { Role, Tokens } from '../../domain/wire/users.ts'
import { lockOf, write } from '../database/locks.ts'
import type { SessionRow } from '../database/tables.ts'
import type { Database, Deps } from '../deps.ts'
import { deleteInvitations } from '../users/invitation-rows.ts'
import {
  endSession,
  findSession,
  insertSession,
  restartGrace,
  rotateSession,
} from './session-rows.ts'
import { readRefreshToken, tokensOf } from './tokens.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Starts a session that ends when the lifetime of a refresh token is over, however often it is refreshed. */
export async function startSession(
  deps: Pick<Deps, 'clock' | 'newId' | 'config' | 'keys'>,
  db: Database,
  user: { id: string; role: Role },
): Promise<Tokens> {
  const now = deps.clock.now()
  const time = new Date(now).toISOString()
  const session = {
    id: deps.newId(),
    user_id: user.id,
    role: user.role,
    counter: 1,
    seen_counter: 0,
    created_at: time,
    rotated_at: time,
    expires_at: new Date(now + deps.config.refreshTokenDays * DAY_MS).toISOString(),
  }
  await insertSession(db, session)
  await deleteInvitations(db, user.id)
  return tokensOf(deps, session)
}

/**
 * The next pair of tokens, or null when the session is over (Q86). The current generation advances. The previous one
 * gets the same successor again while that successor was never used, because then the response was lost, and for a
 * short while after it was handed out, because other tabs still have the old one. Anything older is a stolen copy, and
 * the whole session ends.
 */
export async function refreshSession(deps: Deps, token: string): Promise<Tokens | null> {
  const presented = readRefreshToken(deps, token)
  if (presented === null) return null
  const session = await write(deps.db, [lockOf.session(presented.sessionId)], async (db) => {
    const present = await findSession(db, presented.sessionId)
    if (!present || Date.parse(present.expires_at) <= deps.clock.now()) return null
    // The token is newer than the stored session: the server was restored from a backup since.
    if (presented.generation >= present.counter)
      return rotateSession(db, present, isoNow(deps), presented.generation)
    if (presented.generation === present.counter - 1) {
      if (present.seen_counter < present.counter) return restartGrace(db, present, isoNow(deps))
      if (isWithinGrace(deps, present)) return present
    }
    await endSession(db, present.id)
    deps.log.warn({ sessionId: present.id, actorId: present.user_id }, 'Old refresh token reused')
    return null
  })
  return session && tokensOf(deps, session)
}

function isWithinGrace({ clock, config }: Deps, session: SessionRow): boolean {
  const sinceRotation = clock.now() - Date.parse(session.rotated_at)
  return sinceRotation <= config.refreshGraceSeconds * 1000
}

const isoNow = ({ clock }: Deps) => new Date(clock.now()).toISOString()
