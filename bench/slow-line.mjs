import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Bytes that arrive at once. */
const SEGMENT = 4_096

/**
 * A TCP relay to the server at `url` as over a slow line: `bytesPerMs` each way, shared by all connections, and a round trip of
 * `roundTripMs`, which opening a connection takes too. It has no slow start and loses nothing.
 */
export async function slowLine(url, { bytesPerMs, roundTripMs }) {
  const { hostname, port } = new URL(url)
  const sockets = new Set()
  const up = createLane(bytesPerMs)
  const down = createLane(bytesPerMs)
  const relay = createServer((browser) => {
    const server = connect(Number(port), hostname)
    for (const socket of [browser, server]) {
      sockets.add(socket.setNoDelay())
      socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    }
    carry(browser, server, up, roundTripMs * 1.5)
    carry(server, browser, down, roundTripMs / 2)
  })
  await new Promise((settle) => relay.listen(0, '127.0.0.1', settle))
  return {
    url: `http://127.0.0.1:${relay.address().port}`,
    stop() {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }

  /** `firstDelayMs` is the delay of the first bytes of a connection. */
  function carry(from, to, lane, firstDelayMs) {
    let delayMs = firstDelayMs
    let last = Promise.resolve()
    from.on('data', (bytes) => {
      for (let at = 0; at < bytes.length; at += SEGMENT) {
        const segment = bytes.subarray(at, at + SEGMENT)
        const due = lane(segment.length) + delayMs
        last = last.then(() => pause(due - performance.now())).then(() => to.write(segment))
      }
      delayMs = roundTripMs / 2
    })
    from.on('end', () => {
      last = last.then(() => to.end())
    })
  }
}

/** Returns when bytes that are sent now have left. */
function createLane(bytesPerMs) {
  let freeAt = 0
  return (bytes) => {
    freeAt = Math.max(freeAt, performance.now()) + bytes / bytesPerMs
    return freeAt
  }
}
