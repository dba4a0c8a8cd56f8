import { readConfig } from '../config.ts'
import { misspeltSettings, readEnvironment } from '../process/environment.ts'
import { clock, freeBytes, pause, presentPepper, quiet } from '../server.ts'
import { runDoctor } from './doctor-command.ts'
import { runAsCommand } from './run-as-command.ts'

/** `npm run doctor`: examines the data and prints its findings; exit code 1 when something is wrong. */

await runAsCommand(async () => {
  const env = readEnvironment(process.env)
  const config = readConfig(env)
  return runDoctor({
    config,
    pepper: presentPepper(env, config),
    misspelt: misspeltSettings(env),
    clock,
    freeBytes,
    pause,
    log: quiet,
  })
})
