import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { ErrorBody } from '../../domain/wire/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { STREAMS_MAX } from '../events/listeners.ts'
import type { AppEnv } from './authenticate.ts'

const HEADERS_MAX = 100
/** Every stream occupies a connection; the rest is for all other calls. */
const CONNECTIONS_MAX = STREAMS_MAX + 2_000
/**
 * A connection without traffic for this long during a call is cut: its response is not read, and would stay in memory.
 * Streams send something more often.
 */
export const STANDSTILL_MS = 60_000
/** Every request is answered within this time, counted from its last byte. */
export const ANSWER_MS = 30_000
const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // A filter by 999 clients makes an address of 36 KB.
  maxHeaderSize: 64 * 1024,
}

export type Listener = ReturnType<typeof createListener>

export function createListener(
  { newId, log }: Pick<Deps, 'newId' | 'log'>,
  { answerMs = ANSWER_MS } = {},
) {
  let respond: (request: Request, from: AppEnv['Bindings']) => Response | Promise<Response> = (
    request,
  ) => starting(request, newId())
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => {
      const response = respond(request, {
        peer: incoming.socket.remoteAddress ?? '',
        hangUp: () => incoming.socket.destroy(),
        whenSent: (done) => whenSent(outgoing, incoming.socket, done),
      })
      return response instanceof Promise ? inTime(response, incoming) : response
    },
    // Used for HTTP/1.0 requests without a Host header, which some health checks send.
    { hostname: 'localhost' },
  )
  /** The response, or 503 where there is none in time. Work in progress continues: a repeated change finds its key. */
  function inTime(response: Promise<Response>, incoming: Incoming): Promise<Response> {
    return new Promise((resolve, reject) => {
      let bytes = incoming.socket.bytesRead
      const look = () => {
        const { bytesRead } = incoming.socket
        if (!incoming.complete && bytesRead > bytes) {
          bytes = bytesRead
          timer = setTimeout(look, answerMs)
          return
        }
        const requestId = newId()
        log.error({ requestId, method: incoming.method }, 'Request not answered in time')
        resolve(refusal('The server did not answer in time. Please try again.', requestId))
      }
      let timer = setTimeout(look, answerMs)
      response.then(
        (answer) => {
          clearTimeout(timer)
          resolve(answer)
        },
        (fault) => {
          clearTimeout(timer)
          reject(fault)
        },
      )
    })
  }

  const server = createServer(HTTP_LIMITS, (incoming, outgoing) => {
    if (incoming.rawHeaders.length > HEADERS_MAX * 2) {
      outgoing.writeHead(431, { Connection: 'close' }).end()
      return
    }
    void listener(incoming, outgoing)
  })
  // With a limit, excess headers would be dropped silently instead of being counted here.
  server.maxHeadersCount = 0
  server.maxConnections = CONNECTIONS_MAX
  server.timeout = STANDSTILL_MS
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    // Each pipelined call listens for the end of the connection, and the number of calls is not limited.
    socket.setMaxListeners(0)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A connection that the system cannot accept, for want of memory or file handles, must not end the process.
  server.once('listening', () =>
    server.on('error', (err) => log.warn({ err }, 'A connection could not be taken')),
  )
  return {
    server,
    /** Until it is called, every request but the liveness check gets 503. */
    use: (app: Hono<AppEnv>) => {
      respond = (request, from) => app.fetch(request, from)
    },
    /**
     * Closes connections that have received no data. Browsers open some in advance, and `server.close` waits for them.
     */
    closeUnused() {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

/**
 * Calls back once, also where the connection has ended already. A pipelined response emits no 'close' when its
 * connection ends, so the socket is observed as well.
 */
function whenSent(outgoing: Writable, socket: Socket, done: () => void): void {
  const settle = () => {
    outgoing.off('close', settle)
    socket.off('close', settle)
    done()
  }
  outgoing.on('close', settle)
  socket.on('close', settle)
  if (outgoing.closed || socket.destroyed) settle()
}

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

type Incoming = Pick<IncomingMessage, 'socket' | 'complete'> & { method?: string | undefined }

function starting(request: Request, requestId: string): Response {
  return new URL(request.url).pathname === '/healthz'
    ? Response.json({ status: 'ok' }, { headers: HEADERS })
    : refusal('The server is starting', requestId)
}

function refusal(message: string, requestId: string): Response {
  const body: ErrorBody = { code: 503, message, requestId }
  return Response.json(body, { status: 503, headers: { ...HEADERS, 'Retry-After': '2' } })
}

/** Rejects when the port is in use or not permitted. */
export function listen(
  server: Server,
  { port, host }: Pick<Config, 'port' | 'host'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
