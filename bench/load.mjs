import { connect } from 'node:net'

/**
 * The load of bench/api.mjs, in a process of its own: for each message it keeps the given number of connections busy
 * for the given time, one request after another on each, and returns the number of responses and their latencies
 * (milliseconds). Bytes are made beforehand and responses are only measured, so that the load leaves the machine to the
 * server.
 */

process.on('message', async ({ port, connections, ms, requests, counter = 1_000_000_000 }) => {
  const made = requests.map(({ head, body = '' }) =>
    Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  )
  const times = []
  const state = {
    next: 0,
    endsAt: performance.now() + ms,
    counter,
    times,
    failed: 0,
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, () => keepAsking(port, made, state)))
  const seconds = (performance.now() - startedAt) / 1_000
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const { failed } = state
  process.send({ perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), failed })
})

function keepAsking(port, requests, state) {
  return new Promise((settle, fail) => {
    const socket = connect(port, '127.0.0.1')
    let sentAt = 0
    let missing = -1
    let head = ''
    const send = () => {
      if (performance.now() >= state.endsAt) {
        socket.end()
        return settle()
      }
      const request = requests[state.next++ % requests.length]
      writeCounter(request, state.counter++)
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.once('connect', send).once('error', fail)
    socket.on('data', (bytes) => {
      let rest = bytes.length
      if (missing < 0) {
        head += bytes.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 2')) state.failed += 1
        const length = /\r\ncontent-length: (\d+)/i.exec(head)
        if (!length) return fail(new Error(`An answer without a length: ${head.slice(0, end)}`))
        missing = Number(length[1])
        rest = head.length - end - 4
        head = ''
      }
      missing -= rest
      if (missing > 0) return
      missing = -1
      state.times.push(performance.now() - sentAt)
      send()
    })
  })
}

/** Ten digits after each `counter-`, in place: no two texts, and no two keys, that are sent are the same. */
function writeCounter(request, counter) {
  request.countersAt ??= placesOf(request, 'counter-')
  for (const at of request.countersAt) request.write(String(counter), at + 8, 'latin1')
}

function placesOf(request, word) {
  const places = []
  for (let at = request.indexOf(word); at >= 0; at = request.indexOf(word, at + 1)) places.push(at)
  return places
}
