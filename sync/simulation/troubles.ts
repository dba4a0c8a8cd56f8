import { anyBrowser } from './hands.ts'
import type { World } from './schedule.ts'

/** How often each trouble comes, of those that some schedules have. */
const weights = { fillDisk: 2, breakDatabase: 2, dropConnections: 3, mendDisk: 4 }

/**
 * What happens in some schedules only. It is drawn from a source of its own, so that the others stay what
 * they were.
 */
const troubles: Record<keyof typeof weights, (world: World) => void> = {
  fillDisk: (world) => fail(world, 'full'),
  breakDatabase: (world) => fail(world, 'broken'),
  dropConnections(world) {
    const { name, disk } = anyBrowser(world)
    world.log(`${name} loses its connections to the database`)
    disk.dropConnections()
  },
  mendDisk: ({ browsers, log }) => {
    for (const { name, disk } of browsers) {
      if (!disk.isSound()) log(`the database of ${name} works again`)
      disk.mend()
    }
  },
}

function fail(world: World, fault: 'full' | 'broken'): void {
  const { name, disk } = anyBrowser(world)
  world.log(`the database of ${name} is ${fault}`)
  disk.fail(fault)
}

export function meetTrouble(world: World): void {
  const { source, chance } = world.troubles
  if (source.chance(chance)) troubles[source.weighted(weights)](world)
}
