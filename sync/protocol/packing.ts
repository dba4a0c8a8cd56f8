import type { HttpAnswer, HttpRequest, Transport } from '../ports.ts'

/** Whether this device sends nothing packed for a while, because something on its way does not let that through. */
export type PackingMemory = { isOff(): boolean; turnOff(): void }

type Request = HttpRequest & { bearer?: string }
type Exchange = (request: Request, isPacked: boolean) => Promise<HttpAnswer>

/** The server's own word that it may work another time, or what stands before it: no second request at once. */
const LATER: readonly number[] = [408, 425, 429, 500, 502, 503, 504, 507]
const SILENCES = 2
const LUCKY_TRIES = 2

/**
 * Sends bodies packed that may be, and believes no refusal of one: firewalls refuse what they cannot read, and proxies take off
 * the header that says how to. A refusal is followed by the same request unpacked, at once, and that answer counts. Where
 * the server may be asked later only, or nothing of ours came back, twice where it was nothing at all, the next body goes
 * unpacked. Turns packing off where the unpacked one is taken.
 */
export function sendingPacked(exchange: Exchange, memory: PackingMemory): Transport {
  let silences = 0
  /** Unpacked tries in a row that were taken where packed ones had not been. */
  let lucky = 0

  async function sendUnpacked(request: Request): Promise<HttpAnswer> {
    silences = 0
    const answer = await exchange(request, false)
    lucky = isTaken(answer) ? lucky + 1 : 0
    if (lucky >= LUCKY_TRIES) memory.turnOff()
    return answer
  }

  async function sendPacked(request: Request): Promise<HttpAnswer> {
    silences += 1
    const answer = await exchange(request, true)
    if (isTaken(answer)) {
      silences = 0
      lucky = 0
    } else if (answer.status < 400 || LATER.includes(answer.status)) {
      silences = SILENCES
    } else {
      silences = 0
      const unpacked = await exchange(request, false)
      if (isTaken(unpacked)) memory.turnOff()
      return unpacked
    }
    return answer
  }

  return (request) => {
    if (request.mayPack !== true || memory.isOff()) return exchange(request, false)
    return silences >= SILENCES ? sendUnpacked(request) : sendPacked(request)
  }
}

const isTaken = ({ status, json }: HttpAnswer): boolean => status < 300 && json !== undefined
