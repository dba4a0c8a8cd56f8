import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readKeys } from '../api/accounts/keys.ts'
import { passwordHasher, slowHash } from '../api/accounts/passwords.ts'
import { startSession } from '../api/accounts/sessions.ts'
import { readConfig } from '../api/config.ts'
import { idSource } from '../api/database/new-id.ts'
import { openFile } from '../api/database/open-database.ts'
import { DEMO_PASSWORD_COST, seedDemo } from '../api/demo/seed.ts'
import type { Database } from '../api/deps.ts'
import { createStandingCount } from '../api/progress/count-standing.ts'
import { findUserByEmail, toUser } from '../api/users/user-rows.ts'
import type { Session } from '../domain/wire/users.ts'
import { ADMIN, COLLEAGUE, FRESH_AGENCY, SESSIONS, WRITER } from './agency.ts'

/** Longer than all the stories take, so that none of them begins with a login that has to be renewed. */
const MINUTES = '600'

const clock = { now: () => Date.now(), monotonic: () => performance.now() }
const newId = idSource(clock.now, randomBytes)

/**
 * Playwright's global set-up: the demo agency in a folder, with the writer, the colleague and the admin logged in.
 * Every story begins with a copy of it.
 */
export default async function prepareFreshAgency(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'contun-fresh-agency-'))
  const config = readConfig({ DATA_DIR: dataDir, ACCESS_TOKEN_MINUTES: MINUTES })
  const keys = readKeys({}, { dataDir, isInstalled: false, randomBytes })
  const now = new Date(clock.now()).toISOString()
  const database = await openFile(join(dataDir, 'contun.sqlite'), { now, newId })
  const { db } = database
  const signer = { clock, newId, config, keys }
  const passwords = passwordHasher(keys.pepper, DEMO_PASSWORD_COST, slowHash)
  await seedDemo({ ...signer, db, passwords })
  // Otherwise every server of a story would count all articles when it starts.
  await createStandingCount({ db, clock, isDraining: () => false })()
  const sessions: Record<string, Session> = {}
  for (const email of [WRITER.email, COLLEAGUE.email, ADMIN])
    sessions[email] = await logIn(signer, db, email)
  await database.close()
  process.env[FRESH_AGENCY] = dataDir
  process.env[SESSIONS] = JSON.stringify(sessions)
  return () => rmSync(dataDir, { recursive: true, force: true })
}

/** Without a password, which takes a busy machine its time. */
async function logIn(
  signer: Parameters<typeof startSession>[0],
  db: Database,
  email: string,
): Promise<Session> {
  const user = await findUserByEmail(db, email)
  if (!user) throw new Error(`The demo has nobody with the address ${email}`)
  const tokens = await db.transaction().execute((inside) => startSession(signer, inside, user))
  return { user: toUser(user), tokens }
}
