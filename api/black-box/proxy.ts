import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How often each node is asked whether it is ready, in milliseconds. */
const LOOK_MS = 1_000

export type Proxy = Awaited<ReturnType<typeof startProxy>>

/**
 * A proxy before several nodes that does what deploy/Caddyfile tells Caddy to do: it keeps connections, takes the
 * nodes in turn that were ready when it last asked, and asks the next one where a connection is refused. A request
 * that a node may have begun is asked again only when it reads. Whatever else breaks is 502.
 */
export async function startProxy(nodes: readonly number[]) {
  const agent = new Agent({ keepAlive: true })
  let targets = nodes.map((port) => ({ port, isReady: true }))
  let turn = 0

  const server = createServer(async (incoming, answer) => {
    const body = await readAll(incoming)
    for (const port of inTurn()) {
      try {
        const got = await ask(port, incoming, body)
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
        return
      } catch (fault) {
        const isRefused = fault instanceof Error && 'code' in fault && fault.code === 'ECONNREFUSED'
        if (!isRefused && incoming.method !== 'GET') break
      }
    }
    answer.writeHead(502).end()
  })

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
    /** Another node stands where one was. */
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
