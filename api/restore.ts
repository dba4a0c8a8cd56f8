import { CommandError } from './command-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseRefused } from './database/database-refused.ts'
import { runRestore } from './operations/restore-command.ts'
import { clock, newId } from './server.ts'

/** `npm run restore -- …`: puts a backup in the place of the database. */

try {
  const config = readConfig(process.env)
  process.stdout.write(`${await runRestore({ config, clock, newId }, process.argv.slice(2))}\n`)
} catch (fault) {
  const isExpected =
    fault instanceof CommandError ||
    fault instanceof ConfigError ||
    fault instanceof DatabaseRefused
  process.stderr.write(`${isExpected ? fault.message : (fault as Error).stack}\n`)
  process.exitCode = 1
}
