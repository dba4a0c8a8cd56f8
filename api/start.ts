import { readEnvironment } from './process/environment.ts'
import { serve } from './server.ts'

/**
 * `npm start`: the product over the configured data. `--quiet` sets the default of LOG_LEVEL to warn.
 */

const otherwise = process.argv.includes('--quiet') ? { LOG_LEVEL: 'warn' } : {}

await serve(() => readEnvironment(process.env, otherwise))
