import { monitorEventLoopDelay } from 'node:perf_hooks'
import { passwordHasher, slowHash } from '../dist/api/accounts/passwords.js'
import { serve } from '../dist/api/server.js'

/**
 * The real server, which replies to each message with the delay of its main thread since the last one (99th percentile
 * and longest, in milliseconds). HASH_IN=main-thread hashes passwords on the thread that handles requests.
 */

await serve(
  () => process.env,
  async (deps) => {
    if (process.env.HASH_IN !== 'main-thread') return
    deps.passwords = passwordHasher(deps.keys.pepper, deps.config.passwordCost, slowHash)
  },
)

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 })
  delay.reset()
})
