import type { HttpAnswer, HttpRequest, Transport } from '../ports.ts'
import { mayPass } from './error-response.ts'

/** Whether this device sends no compressed bodies for a while, because a proxy does not let them through. */
export type PackingMemory = { isOff(): boolean; turnOff(): void }

type Request = HttpRequest & { bearer?: string }
type Exchange = (request: Request, isPacked: boolean) => Promise<HttpAnswer>

const SILENCES = 2
const LUCKY_TRIES = 2

/**
 * Sends compressed bodies where allowed, and trusts no refusal of one: firewalls refuse what they cannot read, and
 * proxies strip the header that names the encoding. A refused request is repeated uncompressed at once, and the second
 * response counts. After a response that asks for a later try or is not the server's, or after two requests without any
 * response, the next body is sent uncompressed. Turns compression off where the uncompressed body is accepted.
 */
export function sendingPacked(exchange: Exchange, memory: PackingMemory): Transport {
  let silences = 0
  /** Uncompressed attempts in a row that succeeded where compressed ones had not. */
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
    } else if (answer.status < 400 || mayPass(answer.status)) {
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
