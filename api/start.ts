import { readEnvironment } from './environment.ts'
import { serve } from './server.ts'

/**
 * `npm start`: the product over the data that the settings name. With `--quiet` only warnings are logged, unless a
 * setting says more.
 */

const otherwise = process.argv.includes('--quiet') ? { LOG_LEVEL: 'warn' } : {}

await serve(() => readEnvironment(process.env, otherwise))
