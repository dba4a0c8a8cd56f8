import { describe } from 'vitest'
import { runsShare, settlerOfFile } from './share.ts'

/** The other half of the schedules of simulation.test.ts, in another process. */
const settler = settlerOfFile()

describe('no word is lost, no change applied twice, all copies become the same', () => {
  runsShare(1, settler)
})
