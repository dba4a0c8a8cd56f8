import { readConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { runRestore } from './operations/restore-command.ts'
import { runAsCommand } from './run-as-command.ts'
import { clock, newId } from './server.ts'

/** `npm run restore -- …`: puts a backup in the place of the database. */

await runAsCommand(async () => {
  const config = readConfig(readEnvironment(process.env))
  return runRestore({ config, clock, newId }, process.argv.slice(2))
})
