import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwordHasher, slowHash } from '../accounts/passwords.ts'
import type { Log } from '../deps.ts'
import { fileMailer } from '../mail/mailer.ts'
import { withSecretFiles } from '../process/environment.ts'
import { print, quiet, serve } from '../server.ts'
import { loginTable } from './login-table.ts'
import { DEMO_PASSWORD_COST, seedDemo } from './seed.ts'

/**
 * The product with the demo agency, in a temporary folder that is removed at exit. With DATA_DIR the data is kept and
 * used again. DATABASE_URL and the `.env` of the real installation are ignored.
 */

const dataDir = process.env.DATA_DIR ?? throwAwayFolder()

/** Mails are written to files in the demo; their paths are printed at every log level. */
const mailLog: Log = {
  ...quiet,
  info: (fields, message) => print(`${message}: ${Object.values(fields).join(' ')}\n`),
}

await serve(
  () =>
    withSecretFiles({
      LOG_LEVEL: 'warn',
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: undefined,
      DATABASE_URL_FILE: undefined,
    }),
  async (deps) => {
    deps.passwords = passwordHasher(deps.keys.pepper, DEMO_PASSWORD_COST, slowHash)
    const logins = await seedDemo(deps)
    print(`\nThe demo agency, in ${dataDir}\n\n${loginTable(logins)}\n`)
    if (!deps.config.smtpUrl) deps.mailer = fileMailer(deps.config, mailLog, deps.newId)
  },
)

function throwAwayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contun-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
