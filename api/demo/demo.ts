import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwordHasher, slowHash } from '../accounts/passwords.ts'
import { serve } from '../server.ts'
import { loginTable } from './login-table.ts'
import { seedDemo } from './seed.ts'

/**
 * The product with the demo agency in it, in a folder that goes when the process goes. With DATA_DIR the
 * data stays there and is gone on with; never in another database, whatever DATABASE_URL says.
 */

const dataDir = process.env.DATA_DIR ?? throwAwayFolder()

await serve(
  { LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined },
  async (deps) => {
    // Nobody waits for an answer here: a slow machine may take its time.
    const passwords = passwordHasher(deps.keys.pepper, deps.config.passwordCost, slowHash)
    const logins = await seedDemo({ ...deps, passwords })
    process.stdout.write(`\nThe demo agency, in ${dataDir}\n\n${loginTable(logins)}\n`)
    process.stdout.write(`Its mail is written to ${join(dataDir, 'mail')}\n\n`)
  },
)

function throwAwayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contun-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
