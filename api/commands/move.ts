import { readConfig } from '../config.ts'
import { readEnvironment } from '../process/environment.ts'
import { clock, newId, pause, presentPepper, quiet } from '../server.ts'
import { runMove } from './move-command.ts'
import { runAsCommand } from './run-as-command.ts'

/** `npm run move -- --from … --to …`: copies everything from one database to another. */

await runAsCommand(async () => {
  const env = readEnvironment(process.env)
  const deps = {
    pepper: presentPepper(env, readConfig(env)),
    now: new Date(clock.now()).toISOString(),
    newId,
    pause,
    log: quiet,
    addressOf: (url: string) => readConfig({ DATABASE_URL: url }).database,
  }
  return runMove(deps, process.argv.slice(2))
})
