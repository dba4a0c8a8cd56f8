import type { World } from './schedule.ts'

/** The weight of each in schedules with a server that is restored from a backup. */
const weights = { backUp: 2, putBack: 1 }

const acts: Record<keyof typeof weights, (world: World) => Promise<void>> = {
  async backUp({ agency, log }) {
    log('the server is backed up')
    await agency.backUp()
  },
  async putBack({ agency, browsers, log }) {
    // A page that only reads could not detect the new epoch, and would keep the text of the former one.
    if (browsers.some(({ line }) => line.box?.hidesEpoch)) return
    if (await agency.putBack()) log('the server is put back to its backup')
  },
}

export async function meetRestore(world: World): Promise<void> {
  const { source, chance } = world.restores
  if (source.chance(chance)) await acts[source.weighted(weights)](world)
}
