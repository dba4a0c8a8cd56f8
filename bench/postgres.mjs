import { connect, createServer } from 'node:net'

/** Environment of nodes over PostgreSQL. */
export const SECRETS = {
  JWT_SECRET: 'a secret that every node was told of',
  PASSWORD_PEPPER: 'and a pepper that is the same for all',
}

/**
 * Starts a proxy to PostgreSQL that forwards each message `ms` milliseconds late, and responses at once. Returns the
 * address of the database through the proxy.
 */
export async function withLatency(url, ms) {
  const { port, hostname } = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (bytes) => setTimeout(() => far.write(bytes), ms))
    far.pipe(near)
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', cut).on('close', cut)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.port = String(server.address().port)
  return { url: address.href, stop: () => server.close() }
}
