import { CommandError } from './command-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseRefused } from './database/database-refused.ts'
import { runMove } from './operations/move-command.ts'
import { clock, newId, pause, quiet } from './server.ts'

/** `npm run move -- --from … --to …`: copies everything from one database to another. */

try {
  const deps = {
    now: new Date(clock.now()).toISOString(),
    newId,
    pause,
    log: quiet,
    addressOf: (url: string) => readConfig({ DATABASE_URL: url }).database,
  }
  process.stdout.write(`${await runMove(deps, process.argv.slice(2))}\n`)
} catch (fault) {
  const isExpected =
    fault instanceof CommandError ||
    fault instanceof ConfigError ||
    fault instanceof DatabaseRefused
  process.stderr.write(`${isExpected ? fault.message : (fault as Error).stack}\n`)
  process.exitCode = 1
}
