import { readConfig } from './config.ts'
import { runMove } from './operations/move-command.ts'
import { runAsCommand } from './run-as-command.ts'
import { clock, newId, pause, quiet } from './server.ts'

/** `npm run move -- --from … --to …`: copies everything from one database to another. */

await runAsCommand(async () => {
  const deps = {
    now: new Date(clock.now()).toISOString(),
    newId,
    pause,
    log: quiet,
    addressOf: (url: string) => readConfig({ DATABASE_URL: url }).database,
  }
  return runMove(deps, process.argv.slice(2))
})
