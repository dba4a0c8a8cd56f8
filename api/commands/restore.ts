import { readConfig } from '../config.ts'
import { readEnvironment } from '../process/environment.ts'
import { clock, newId, presentPepper } from '../server.ts'
import { runRestore } from './restore-command.ts'
import { runAsCommand } from './run-as-command.ts'

/** `npm run restore -- …`: replaces the database with a backup. */

await runAsCommand(async () => {
  const env = readEnvironment(process.env)
  const config = readConfig(env)
  const pepper = presentPepper(env, config)
  return runRestore({ config, pepper, clock, newId }, process.argv.slice(2))
})
