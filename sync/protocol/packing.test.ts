import { describe, expect, test } from 'vitest'
import { type HttpAnswer, NoAnswer } from '../ports.ts'
import { sendingPacked } from './packing.ts'

/** Compression of its body never keeps a text from the server. */

type Outcome = HttpAnswer | 'silence'

const answer = (status: number, json: unknown = {}): HttpAnswer => ({
  status,
  json,
  header: () => null,
})
const body = 'x'.repeat(20_000)
const request = { method: 'PATCH', path: '/articles/a1', body, mayPack: true } as const

/** The body of each try, packed or unpacked, and its response; `meets` is the outcome of a packed one. */
function line(meets: (isPacked: boolean) => Outcome) {
  const tries: string[] = []
  let isOff = false
  const memory = {
    isOff: () => isOff,
    turnOff: () => {
      isOff = true
    },
  }
  const exchange = async (_: object, isPacked: boolean) => {
    const outcome = meets(isPacked)
    const status = outcome === 'silence' ? 'nothing' : outcome.status
    tries.push(`${isPacked ? 'packed' : 'plain'} ${status}`)
    if (outcome === 'silence') throw new NoAnswer()
    return outcome
  }
  const send = sendingPacked(exchange, memory)
  return {
    tries,
    isOff: () => isOff,
    send: () =>
      send(request).then(
        ({ status }) => status,
        () => 'nothing',
      ),
    again: () => sendingPacked(exchange, memory)(request),
  }
}

const refusing = (outcome: Outcome) => (isPacked: boolean) => (isPacked ? outcome : answer(200))

describe('a compressed body that a middlebox blocks', {
  tags: ['@fault-73'],
}, () => {
  test.each([400, 403, 404, 406, 409, 413, 415, 418, 422, 451])(
    'refused with %i it is retried uncompressed before the refusal counts, and from then on',
    { tags: ['@SY-08'] },
    async (status) => {
      const { send, tries, isOff, again } = line(refusing(answer(status)))
      expect(await send()).toBe(200)
      expect([tries, isOff()]).toEqual([[`packed ${status}`, 'plain 200'], true])
      await send()
      await again()
      expect(tries.slice(2)).toEqual(['plain 200', 'plain 200'])
    },
  )

  test('after two tries without a response the third is uncompressed; after a second such success all are', async () => {
    const { send, tries, isOff } = line(refusing('silence'))
    for (let count = 0; count < 6; count += 1) await send()
    const round = ['packed nothing', 'packed nothing', 'plain 200']
    expect([tries, isOff()]).toEqual([[...round, ...round], true])
    await send()
    expect(tries.at(-1)).toBe('plain 200')
  })

  test.each([
    ['the server asks for later', answer(503)],
    ['a gateway answers', answer(502, undefined)],
    ['a page that is not ours comes with 200', { ...answer(200), json: undefined }],
  ])(
    'where %s nothing is sent immediately, and the next try is uncompressed',
    async (_, outcome) => {
      const { send, tries } = line(refusing(outcome))
      await send()
      expect(tries).toHaveLength(1)
      await send()
      expect(tries[1]).toBe('plain 200')
    },
  )
})

describe('failures unrelated to compression', () => {
  test.each([401, 403, 409, 412, 422])(
    '%i for an uncompressed body counts, and bodies stay compressed',
    async (status) => {
      const { send, tries, isOff } = line(() => answer(status))
      expect(await send()).toBe(status)
      expect([tries, isOff()]).toEqual([[`packed ${status}`, `plain ${status}`], false])
      await send()
      expect(tries[2]).toBe(`packed ${status}`)
    },
  )

  test('a temporary outage does not turn compression off', async () => {
    let isDown = true
    const { send, tries, isOff } = line(() => (isDown ? 'silence' : answer(200)))
    for (let count = 0; count < 3; count += 1) await send()
    isDown = false
    for (let count = 0; count < 3; count += 1) await send()
    expect(tries.slice(3)).toEqual(['packed 200', 'packed 200', 'packed 200'])
    expect(isOff()).toBe(false)
  })
})
