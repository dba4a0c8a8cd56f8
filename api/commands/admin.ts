import { randomBytes } from 'node:crypto'
import { readPepper } from '../accounts/keys.ts'
import { passwordHasher, slowHash } from '../accounts/passwords.ts'
import { ensurePepper } from '../accounts/pepper.ts'
import { readConfig } from '../config.ts'
import { openBeside } from '../database/open-database.ts'
import { readEnvironment } from '../process/environment.ts'
import { clock, newId, pause, quiet } from '../server.ts'
import { runCommand } from './admin-command.ts'
import { runAsCommand } from './run-as-command.ts'

/** `npm run admin -- …`: commands on the data itself, also while the server runs. */

await runAsCommand(async () => {
  const env = readEnvironment(process.env)
  const config = readConfig(env)
  const database = await openBeside(config.database, { log: quiet, pause })
  try {
    const isShared = config.database.engine === 'postgres'
    const store = { dataDir: config.dataDir, isShared, randomBytes }
    const ownPepper = async () => {
      const pepper = readPepper(env, { ...store, isInstalled: true })
      await ensurePepper(database.db, pepper)
      return pepper
    }
    const hash = async (password: string) =>
      passwordHasher(await ownPepper(), config.passwordCost, slowHash).hash(password)
    const openOther = (address: string) =>
      openBeside(readConfig({ DATABASE_URL: address }).database, { log: quiet, pause })
    const deps = {
      db: database.db,
      clock,
      newId,
      config,
      randomBytes,
      passwords: { hash },
      ensureOwnPepper: async () => void (await ownPepper()),
      keys: {
        get pepper() {
          return readPepper(env, { ...store, isInstalled: false })
        },
      },
      openOther,
    }
    return await runCommand(deps, process.argv.slice(2))
  } finally {
    await database.close()
  }
})
