import { describe, expect, test, vi } from 'vitest'
import { type BusMessage, type Clock, LockNotGranted } from '../../sync/ports.ts'
import { browserBus, browserLocks } from './ports.ts'
import { randomId } from './random-id.ts'
import { openChannel } from './storage.ts'
import { allowPlainTextOnly, createWorkerUrls, type TrustedTypes } from './trusted-types.ts'

test('where the browser refuses channels, libraries find none to make', {
  tags: ['@fault-81'],
}, () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
    },
  )
  expect(openChannel('contun')).toBeUndefined()
  expect(typeof BroadcastChannel).toBe('undefined')
  vi.unstubAllGlobals()
})

/** A clock whose waiting is over as soon as `ring` is called. */
function alarm() {
  const tasks = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    after: (_, task) => {
      tasks.add(task)
      return () => tasks.delete(task)
    },
  }
  return { clock, tasks, ring: () => tasks.forEach((task) => void task()) }
}

type Ask = (name: string, options: LockOptions, task: () => Promise<unknown>) => Promise<unknown>
const manager = (request: Ask) => ({ request }) as unknown as LockManager

describe('locks', () => {
  test('without Web Locks a task runs at once', async () => {
    const { clock } = alarm()
    expect(await browserLocks(undefined, clock).hold('push', async () => 'done')).toBe('done')
  })

  test('a lock that is not granted in time is given up', async () => {
    const { clock, ring } = alarm()
    const locks = browserLocks(
      manager(
        (_, { signal }) =>
          new Promise((_granted, refuse) =>
            signal?.addEventListener('abort', () => refuse(signal.reason)),
          ),
      ),
      clock,
    )
    const blocked = locks.hold('push', async () => 'done', { waitMs: 1_000 })
    ring()
    await expect(blocked).rejects.toBeInstanceOf(LockNotGranted)
  })

  test('the patience ends with the grant: a long task is not cut', async () => {
    const { clock, tasks } = alarm()
    const locks = browserLocks(
      manager((_, __, task) => task()),
      clock,
    )
    const blocked = locks.hold('push', async () => tasks.size, { waitMs: 1_000 })
    expect(await blocked).toBe(0)
  })

  test('a stolen lock lets the running task end', async () => {
    const { clock } = alarm()
    const stolen = manager(async (_, __, task) => {
      void task()
      throw new DOMException('stolen', 'AbortError')
    })
    expect(await browserLocks(stolen, clock).hold('push', async () => 'done')).toBe('done')
  })

  test('with site storage blocked a task runs without a lock', async () => {
    const { clock } = alarm()
    const denied = manager(async () => {
      throw new DOMException('The request was denied.', 'SecurityError')
    })
    expect(await browserLocks(denied, clock).hold('push', async () => 'done')).toBe('done')
  })
})

test('the bus passes every message of the sync core on and drops what has no known shape', () => {
  const listeners: ((event: { data: unknown }) => void)[] = []
  const heard: BusMessage[] = []
  const channel = {
    addEventListener: (_: string, hear: (typeof listeners)[0]) => listeners.push(hear),
  }
  browserBus(channel as unknown as BroadcastChannel).listen((message) => heard.push(message))
  const refusal = { articleId: 'a1', status: 409, message: 'No', reason: null }
  const known: { [K in BusMessage['kind']]: Extract<BusMessage, { kind: K }> } = {
    'flush-please': { kind: 'flush-please', articleId: 'a1' },
    'reached-server': { kind: 'reached-server' },
    missed: { kind: 'missed', until: 1 },
    'text-written': { kind: 'text-written', articleId: 'a1' },
    refused: { kind: 'refused', refusal },
    'news-mine': { kind: 'news-mine', userId: 'u1', tabId: 't1' },
    'news-alive': { kind: 'news-alive', userId: 'u1' },
    'open-please': { kind: 'open-please', userId: 'u1' },
    'open-here': { kind: 'open-here', userId: 'u1', tabId: 't1', articles: [] },
    'others-here': { kind: 'others-here', userId: 'u1', articles: [] },
  }
  const unknown = [
    null,
    'reached-server',
    { kind: 'flush-please' },
    { kind: 'text-written', articleId: 7 },
    { kind: 'refused' },
    { kind: 'refused', refusal: { ...refusal, status: '409' } },
    { kind: 'news-mine', tabId: 't1' },
    { kind: 'news-alive' },
    { kind: 'open-here', userId: 'u1' },
    { kind: 'others-here', articles: [] },
    { kind: 'reload-please' },
  ]
  for (const data of [...unknown, ...Object.values(known)]) {
    for (const hear of listeners) hear({ data })
  }
  expect(heard).toEqual(Object.values(known))
})

describe('Trusted Types', () => {
  type Rules = Parameters<TrustedTypes['createPolicy']>[1]

  function policies() {
    const made = new Map<string, Rules>()
    const trustedTypes: TrustedTypes = {
      createPolicy(name, rules) {
        made.set(name, rules)
        return {
          createHTML: (text) => rules.createHTML?.(text),
          createScriptURL: (url) => rules.createScriptURL?.(url),
        }
      },
    }
    return { made, trustedTypes }
  }

  test('the default policy allows plain text and throws at markup, so that the editor parses pastes by its own policy', () => {
    const { made, trustedTypes } = policies()
    allowPlainTextOnly(trustedTypes)
    const rules = made.get('default')
    expect(rules?.createHTML?.('.a { color: red }')).toBe('.a { color: red }')
    expect(() => rules?.createHTML?.('<img src=x onerror=alert(1)>')).toThrow(TypeError)
    expect(rules?.createScriptURL).toBeUndefined()
  })

  test('the worker policy knows the addresses it was made for', () => {
    const { made, trustedTypes } = policies()
    const workerUrl = createWorkerUrls(trustedTypes, ['/sw.js', '/assets/csv.js'])
    expect(['/sw.js', '/assets/csv.js'].map(workerUrl)).toEqual(['/sw.js', '/assets/csv.js'])
    expect(made.get('contun-sw')?.createScriptURL?.('https://evil.example/sw.js')).toBeNull()
  })

  test('a browser without Trusted Types takes the address as it is', () => {
    expect(createWorkerUrls(undefined, ['/sw.js'])('/sw.js')).toBe('/sw.js')
  })
})

test.each([
  [0x00, '00000000-0000-4000-8000-000000000000'],
  [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
])('an id of the bytes %i is a UUID of version 4', (byte, id) => {
  expect(randomId((bytes) => bytes.fill(byte))).toBe(id)
})
