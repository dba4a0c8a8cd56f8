import { PROGRAM_TOKENS_MAX } from '../../domain/limits.ts'
import type {
  NewProgramToken,
  ProgramToken,
  ProgramTokenCreate,
} from '../../domain/wire/program-tokens.ts'
import { sha256 } from '../articles/stored-text.ts'
import { recordChange, recordChanges } from '../audit/audit-rows.ts'
import type { Database, Deps } from '../deps.ts'
import type { Viewer } from '../http/authenticate.ts'
import { ApiError } from '../http/errors.ts'
import { ensureManager } from '../users/managers.ts'
import { newProgramToken } from './program-token.ts'
import {
  changeOwner,
  countTokens,
  deleteToken,
  hasToken,
  insertToken,
  listTokens,
  tokenIdsOf,
} from './program-token-rows.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Throws 400 for an unknown or deleted client, 409 beyond the limit. */
export function makeProgramToken(
  deps: Deps,
  viewer: Viewer,
  { name, clientIds, days }: ProgramTokenCreate,
): Promise<NewProgramToken> {
  const now = deps.clock.now()
  const token = newProgramToken(deps)
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    if ((await countTokens(db)) >= PROGRAM_TOKENS_MAX) throw tooManyTokens()
    const wanted = [...new Set(clientIds)]
    await refuseUnknownClients(db, wanted)
    const id = deps.newId()
    const row = {
      id,
      name,
      digest: sha256(token),
      owner_id: viewer.id,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + days * DAY_MS).toISOString(),
      last_used_on: null,
    }
    await insertToken(db, row, wanted)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'program-token.created',
      subjectId: id,
    })
    const [made] = await listTokens(db, row.created_at, id)
    if (made === undefined) throw new Error('A token that was just inserted is missing')
    return { ...made, token }
  })
}

const tooManyTokens = () =>
  new ApiError(409, `There can be at most ${PROGRAM_TOKENS_MAX} tokens.`, {
    reason: 'too_many_tokens',
  })

async function refuseUnknownClients(db: Database, ids: readonly string[]): Promise<void> {
  const known = await db
    .selectFrom('clients')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  if (known.length < ids.length) throw new ApiError(400, '"clientIds" has an unknown client')
}

/** Acts on the next request with it. False when there is no such token. */
export function revokeProgramToken(deps: Deps, viewer: Viewer, id: string): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    if (!(await hasToken(db, id))) return false
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'program-token.revoked',
      subjectId: id,
    })
    await deleteToken(db, id)
    return true
  })
}

/** Makes the viewer its owner. Undefined when there is no such token. */
export function takeOverProgramToken(
  deps: Deps,
  viewer: Viewer,
  id: string,
): Promise<ProgramToken | undefined> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    await ensureManager(db, viewer, now)
    const [token] = await listTokens(db, new Date(now).toISOString(), id)
    if (token === undefined || token.owner.id === viewer.id) return token
    await changeOwner(db, id, viewer.id)
    await recordChange(deps, db, {
      actorId: viewer.id,
      action: 'program-token.taken-over',
      subjectId: id,
    })
    const [taken] = await listTokens(db, new Date(now).toISOString(), id)
    return taken
  })
}

/** Records the end of the tokens of an account. Call it in the transaction that deletes the account, and before that. */
export async function recordEndOfTokens(
  deps: Deps,
  db: Database,
  { ownerId, actorId }: { ownerId: string; actorId: string },
): Promise<void> {
  const changes = (await tokenIdsOf(db, ownerId)).map((subjectId) => ({ subjectId }))
  if (changes.length > 0)
    await recordChanges(deps, db, { actorId, action: 'program-token.revoked', changes })
}
