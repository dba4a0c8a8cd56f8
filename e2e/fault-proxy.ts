import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What happens to one request between browser and server:
 * - lose-request: the connection is cut before the server sees anything
 * - lose-answer: the server processes the request, its response never arrives
 * - cut-answer: half of the response arrives, then the connection is cut
 * - duplicate: the server gets the request twice; the browser gets the first response
 * - delay: the request waits `ms` before it is passed on
 * - hold: the request waits for `until` before it is passed on
 * - answer: a third party responds in the server's place, as a hotel's sign-in page does
 */
export type Fault =
  | { kind: 'lose-request' | 'lose-answer' | 'cut-answer' | 'duplicate' }
  | { kind: 'delay'; ms: number }
  | { kind: 'hold'; until: Promise<void> }
  | {
      kind: 'answer'
      status: number
      type: string
      body: string
      /** What it says of being stored; by default nothing. */
      cacheControl?: string
    }

export type Exchange = {
  method: string
  path: string
  body: string
  headers: IncomingMessage['headers']
  status: number | null
  /** The server's response, whether or not the browser got it. */
  answer: string
  fault: string | null
  at: number
}

export type FaultProxy = {
  readonly url: string
  readonly port: number
  /** Everything that was asked through the proxy, in order. */
  readonly exchanges: Exchange[]
  /** The next `times` requests whose 'METHOD /path' matches get `fault`. */
  inject(matching: RegExp, fault: Fault, times?: number): void
  /** From now on every request is passed on without these headers. */
  takeOff(...headers: string[]): void
  /** From now on requests with a packed body get `fault`, as by a firewall that cannot read them. */
  refusePacked(fault: Fault): void
  /** No request gets a fault any more. */
  forgive(): void
  /** From now on the file at `path` is another one, as after a new release. */
  replace(path: string, change: (text: string) => string): void
  /** Routes later requests whose 'METHOD /path' matches to the server at `port`; the last call that matches counts. */
  lead(matching: RegExp, port: number): void
  /** Cuts every connection and refuses new ones until it is up again. */
  setDown(down: boolean): void
  close(): Promise<void>
}

type Injection = { matching: RegExp; fault: Fault; left: number }

/** A proxy between the browser and the server at `target` (a port of this machine) that fails on demand. */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const injections: Injection[] = []
  let takenOff: string[] = []
  let ofPacked: Fault | null = null
  const led: { matching: RegExp; port: number }[] = []
  const replaced = new Map<string, (text: string) => string>()
  const exchanges: Exchange[] = []
  const sockets = new Set<Socket>()
  let down = false

  const server = createServer(async (incoming, answer) => {
    const body = await readAll(incoming)
    const exchange: Exchange = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      body: body.toString('utf8'),
      headers: { ...incoming.headers },
      status: null,
      answer: '',
      fault: null,
      at: Date.now(),
    }
    exchanges.push(exchange)
    const isPacked = incoming.headers['content-encoding'] !== undefined
    const fault =
      takeFault(injections, `${exchange.method} ${exchange.path}`) ?? (isPacked ? ofPacked : null)
    exchange.fault = fault?.kind ?? null
    const change = replaced.get(exchange.path)
    const line = `${exchange.method} ${exchange.path}`
    const port = led.findLast(({ matching }) => matching.test(line))?.port ?? target
    if (change) return answerChanged(port, incoming, answer, change)
    for (const name of takenOff) delete incoming.headers[name.toLowerCase()]
    await carryOut(port, incoming, body, answer, fault, exchange)
  })
  server.on('connection', (socket) => {
    if (down) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return undefined
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://localhost:${port}`,
    port,
    exchanges,
    replace: (path, change) => void replaced.set(path, change),
    inject: (matching, fault, times = 1) => injections.push({ matching, fault, left: times }),
    takeOff(...headers) {
      takenOff = headers
    },
    refusePacked(fault) {
      ofPacked = fault
    },
    lead: (matching, port) => void led.push({ matching, port }),
    forgive: () => void injections.splice(0),
    setDown(next) {
      down = next
      if (down) for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => closed())
      }),
  }
}

function takeFault(injections: Injection[], line: string): Fault | null {
  const injection = injections.find((one) => one.left > 0 && one.matching.test(line))
  if (!injection) return null
  injection.left -= 1
  return injection.fault
}

async function carryOut(
  target: number,
  incoming: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  fault: Fault | null,
  exchange: Exchange,
): Promise<void> {
  if (fault?.kind === 'lose-request') return void incoming.socket.destroy()
  if (fault?.kind === 'answer') {
    const { status, type, body: page, cacheControl } = fault
    const kept = cacheControl && { 'cache-control': cacheControl }
    return void answer.writeHead(status, { 'content-type': type, ...kept }).end(page)
  }
  if (fault?.kind === 'delay') await new Promise((passed) => setTimeout(passed, fault.ms))
  if (fault?.kind === 'hold') await fault.until
  const first = await forward(target, incoming, body)
  if (!first) return void incoming.socket.destroy()
  exchange.status = first.status
  exchange.answer = first.body.toString('utf8')
  if (first.events) return passOn(first, first.events, answer)
  if (fault?.kind === 'duplicate') await forward(target, incoming, body)
  if (fault?.kind === 'lose-answer') return void incoming.socket.destroy()
  answer.writeHead(first.status, first.headers)
  if (fault?.kind === 'cut-answer') {
    answer.write(first.body.subarray(0, Math.floor(first.body.length / 2)))
    return void setImmediate(() => incoming.socket.destroy())
  }
  answer.end(first.body)
}

async function answerChanged(
  target: number,
  { url }: IncomingMessage,
  answer: ServerResponse,
  change: (text: string) => string,
): Promise<void> {
  const file = await fetch(`http://127.0.0.1:${target}${url}`)
  const ofOldBytes = ['content-encoding', 'content-length', 'etag', 'connection', 'keep-alive']
  const kept = [...file.headers].filter(([name]) => !ofOldBytes.includes(name))
  answer.writeHead(file.status, Object.fromEntries(kept)).end(change(await file.text()))
}

type Forwarded = {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
  /** A streaming response, passed on while it arrives. */
  events: IncomingMessage | null
}

function passOn({ status, headers }: Forwarded, events: IncomingMessage, answer: ServerResponse) {
  answer.writeHead(status, headers)
  answer.flushHeaders()
  answer.on('close', () => events.destroy())
  events.on('error', () => answer.destroy())
  events.pipe(answer)
}

/** Null when the server could not be reached or cut the response. */
function forward(port: number, incoming: IncomingMessage, body: Buffer): Promise<Forwarded | null> {
  return new Promise((settle) => {
    const headers = { ...incoming.headers, connection: 'close' }
    const outgoing = request(
      { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers },
      async (reply) => {
        const { connection: _own, 'transfer-encoding': _chunked, ...kept } = reply.headers
        const status = reply.statusCode ?? 502
        if (kept['content-type'] === 'text/event-stream') {
          return settle({ status, headers: kept, body: Buffer.alloc(0), events: reply })
        }
        const received = await readAll(reply).catch(() => null)
        if (!received) return settle(null)
        settle({
          status,
          events: null,
          headers: { ...kept, 'content-length': String(received.length) },
          body: received,
        })
      },
    )
    outgoing.on('error', () => settle(null))
    outgoing.end(body)
  })
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
