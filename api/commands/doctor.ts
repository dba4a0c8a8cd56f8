import { ConfigError, readConfig } from '../config.ts'
import { misspeltSettings, readEnvironment } from '../environment.ts'
import { clock, freeBytes, keepFilesPrivate, pause, presentPepper, quiet } from '../server.ts'
import { runDoctor } from './doctor-command.ts'

/** `npm run doctor`: examines the data and prints its findings; exit code 1 when something is wrong. */

keepFilesPrivate()
try {
  const env = readEnvironment(process.env)
  const config = readConfig(env)
  const { text, isWell } = await runDoctor({
    config,
    pepper: presentPepper(env, config),
    misspelt: misspeltSettings(env),
    clock,
    freeBytes,
    pause,
    log: quiet,
  })
  process.stdout.write(`${text}\n`)
  process.exitCode = isWell ? 0 : 1
} catch (fault) {
  const isExpected = fault instanceof ConfigError
  process.stderr.write(`${isExpected ? fault.message : (fault as Error).stack}\n`)
  process.exitCode = 1
}
