import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy to PostgreSQL that drops all bytes while `line.isDead`, without closing a connection. */
export async function silentLine(to: string) {
  const { hostname, port } = new URL(to)
  const line = { isDead: false }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (line.isDead || into.write(bytes)))
      from.on('error', () => {}).on('close', () => into.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const here = (server.address() as AddressInfo).port
  return { line, url: to.replace(`${hostname}:${port}`, `127.0.0.1:${here}`) }
}
