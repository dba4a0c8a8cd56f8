import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * The WebDriver commands that the stories need, named in both protocols: HTTP, for WebKitWebDriver, and Marionette,
 * which is built into Firefox.
 */
const COMMANDS = {
  navigate: ['POST', '/url', 'WebDriver:Navigate'],
  handles: ['GET', '/window/handles', 'WebDriver:GetWindowHandles'],
  switchTo: ['POST', '/window', 'WebDriver:SwitchToWindow'],
  newTab: ['POST', '/window/new', 'WebDriver:NewWindow'],
  closeTab: ['DELETE', '/window', 'WebDriver:CloseWindow'],
  resize: ['POST', '/window/rect', 'WebDriver:SetWindowRect'],
  timeouts: ['POST', '/timeouts', 'WebDriver:SetTimeouts'],
  execute: ['POST', '/execute/async', 'WebDriver:ExecuteAsyncScript'],
  click: ['POST', '/element/{id}/click', 'WebDriver:ElementClick'],
  keys: ['POST', '/element/{id}/value', 'WebDriver:ElementSendKeys'],
  actions: ['POST', '/actions', 'WebDriver:PerformActions'],
  acceptAlert: ['POST', '/alert/accept', 'WebDriver:AcceptAlert'],
  screenshot: ['GET', '/screenshot', 'WebDriver:TakeScreenshot'],
} as const

export type CommandName = keyof typeof COMMANDS
type Parameters = Record<string, unknown>

/** One session of one browser. Rejects with the browser's own message. */
export type Driver = {
  send(command: CommandName, parameters?: Parameters): Promise<unknown>
  /** Only Firefox: runs the body of a function in the window around the page. */
  aroundPage(script: string): Promise<unknown>
  end(): Promise<void>
}

/** The key under which WebDriver hands out an element. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export class DriverError extends Error {
  readonly kind: string

  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`)
    this.kind = kind
  }
}

/** Longer than any command of a story takes. */
const COMMAND_MS = 120_000

export async function overHttp(address: string, capabilities: object): Promise<Driver> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(COMMAND_MS),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok) throw new DriverError(value.error ?? 'error', value.message ?? '')
    return value
  }
  const wanted = { capabilities: { alwaysMatch: capabilities } }
  const session = (await call('POST', '/session', wanted)) as { sessionId: string }
  const base = `/session/${session.sessionId}`
  return {
    send(command, { id, ...parameters } = {}) {
      const [method, path] = COMMANDS[command]
      const filled = path.replace('{id}', String(id))
      return call(method, base + filled, method === 'POST' ? parameters : undefined)
    },
    aroundPage: () => Promise.reject(new Error('Only Firefox lets look around the page')),
    end: async () => void (await call('DELETE', base)),
  }
}

/**
 * Each message is its length in bytes, a colon, and JSON: [0, number, command, parameters] or [1, number, error,
 * result].
 */
export async function overMarionette(port: number): Promise<Driver> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<number, (error: DriverError | null, result: unknown) => void>()
  let received = Buffer.alloc(0)
  let count = 0

  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      if (colon < 0) return
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (received.length < end) return
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString('utf8'))
      received = received.subarray(end)
      if (Array.isArray(message)) settle(message)
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    const gone = new DriverError('closed', 'The browser closed the connection')
    for (const settle of waiting.values()) settle(gone, null)
  })

  function settle([, number, error, result]: unknown[]): void {
    const { error: kind = '', message = '' } = (error ?? {}) as Record<string, string>
    waiting.get(Number(number))?.(error ? new DriverError(kind, message) : null, result)
    waiting.delete(Number(number))
  }

  function call(command: string, parameters: Parameters = {}): Promise<unknown> {
    count += 1
    const message = JSON.stringify([0, count, command, parameters])
    return new Promise((resolve, reject) => {
      waiting.set(count, (error, result) => (error ? reject(error) : resolve(result)))
      socket.write(`${Buffer.byteLength(message)}:${message}`)
    })
  }

  await call('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } })
  return {
    async send(command, parameters) {
      const result = await call(COMMANDS[command][2], parameters)
      return isBoxed(result) ? result.value : result
    },
    async aroundPage(script) {
      await call('Marionette:SetContext', { value: 'chrome' })
      try {
        const result = await call('WebDriver:ExecuteScript', { script, args: [] })
        return isBoxed(result) ? result.value : result
      } finally {
        await call('Marionette:SetContext', { value: 'content' })
      }
    },
    async end() {
      await call('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {})
      socket.destroy()
    },
  }
}

/** Marionette wraps the result of a command in an object, but not lists. */
const isBoxed = (result: unknown): result is { value: unknown } =>
  typeof result === 'object' && result !== null && 'value' in result
