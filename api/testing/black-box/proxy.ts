import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'

/** How often each node is asked whether it is ready, in milliseconds. */
const LOOK_MS = 1_000
/** So long a request may wait for a node that takes it, in milliseconds, and between two rounds. */
const TRY_MS = 5_000
const PAUSE_MS = 250

export type Proxy = Awaited<ReturnType<typeof startProxy>>

/**
 * A proxy before several nodes that follows deploy/Caddyfile: it keeps connections, balances round-robin over the nodes
 * that were ready at the last check, and tries the next one, for five seconds, where a connection is refused. A request
 * that may have reached a node is retried only when it reads. Any other failure is 502.
 */
export async function startProxy(nodes: readonly number[]) {
  const agent = new Agent({ keepAlive: true })
  let targets = nodes.map((port) => ({ port, isReady: true }))
  let turn = 0

  const server = createServer(async (incoming, answer) => {
    const body = await readAll(incoming)
    const got = await answerTo(incoming, body).catch(() => null)
    if (got === null) return answer.writeHead(502).end()
    answer.writeHead(got.statusCode ?? 502, got.headers)
    return got.pipe(answer)
  })

  async function answerTo(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    for (let waited = 0; waited <= TRY_MS; waited += PAUSE_MS) {
      for (const port of inTurn()) {
        try {
          return await ask(port, incoming, body)
        } catch (fault) {
          const isRefused =
            fault instanceof Error && 'code' in fault && fault.code === 'ECONNREFUSED'
          if (!isRefused && incoming.method !== 'GET') throw fault
        }
      }
      await rest(PAUSE_MS)
    }
    throw new Error('No node takes it')
  }

  function inTurn(): number[] {
    turn += 1
    const ready = targets.filter(({ isReady }) => isReady).map(({ port }) => port)
    return ready.map((_, place) => ready[(place + turn) % ready.length] as number)
  }

  const ask = (port: number, { method, url, headers }: IncomingMessage, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { port, method, path: url, headers, agent }
      request(options, resolve).once('error', reject).end(body)
    })

  const looking = setInterval(() => {
    for (const target of targets) {
      fetch(`http://127.0.0.1:${target.port}/readyz`)
        .then(({ ok }) => Object.assign(target, { isReady: ok }))
        .catch(() => Object.assign(target, { isReady: false }))
    }
  }, LOOK_MS)

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    /** Replaces a node by another one. */
    replace(old: number, port: number) {
      targets = targets.map((target) => (target.port === old ? { port, isReady: true } : target))
    },
    close() {
      clearInterval(looking)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts)
}
