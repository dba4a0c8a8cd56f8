import { expect, it } from 'vitest'
import { eventStream } from './event-stream.ts'

function watched() {
  const log: string[] = []
  const stream = eventStream({ hangUp: () => log.push('hung up'), gone: () => log.push('gone') })
  return { stream, log }
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(body).text()
}

it('writes events and comments as text/event-stream has them', async () => {
  const { stream, log } = watched()
  stream.send({ name: 'hello', data: { seq: 1 } })
  stream.send({ data: { seq: 2 } })
  stream.send()
  stream.end()
  expect(await readAll(stream.body)).toBe(
    'event: hello\ndata: {"seq":1}\n\ndata: {"seq":2}\n\n:\n\n',
  )
  expect(log).toEqual(['gone'])
})

it('hangs up on a reader that does not keep up, and holds no more than a few events for it', async () => {
  const { stream, log } = watched()
  const event = { data: { text: 'x'.repeat(1_000) } }
  for (let sent = 0; sent < 1_000; sent++) stream.send(event)
  expect(log).toEqual(['gone', 'hung up'])
  expect((await readAll(stream.body)).length).toBeLessThanOrEqual(16 * 1024)
})

it('is over when the reader leaves, and says nothing more', async () => {
  const { stream, log } = watched()
  await stream.body.cancel()
  stream.send({ data: {} })
  stream.end()
  expect(log).toEqual(['gone'])
})
