import type { Hello, Hint } from '../../domain/wire/news.ts'

/** Far more than any event of this API; a longer one is from another server. */
const REST_MAX = 64 * 1024

export type EventListeners = {
  greeted(hello: Hello): void
  notified(hint: Hint): void
  /** Any other event that has a name. */
  received(name: string, data: unknown): void
}

/** Reads text/event-stream piece by piece, wherever the pieces were cut. Other events without a name are dropped. */
export function eventReader({
  greeted,
  notified,
  received,
}: EventListeners): (text: string) => void {
  let rest = ''

  function read(block: string): void {
    const lines = block.split('\n')
    const data = parse(lines.find((line) => line.startsWith('data: '))?.slice('data: '.length))
    const name = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length)
    if (name === 'hello') {
      if (isHello(data)) greeted(data)
    } else if (name !== undefined) received(name, data)
    else if (isHint(data)) notified(data)
  }

  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > REST_MAX) rest = ''
    for (const block of blocks) read(block)
  }
}

function parse(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

function isHello(value: unknown): value is Hello {
  const hello = value as Partial<Hello> | null | undefined
  return typeof hello?.epoch === 'string' && typeof hello.seq === 'number'
}

function isHint(value: unknown): value is Hint {
  const hint = value as { seq?: unknown; articleId?: unknown; version?: unknown } | null | undefined
  if (typeof hint?.seq !== 'number') return false
  return (
    hint.articleId === undefined ||
    (typeof hint.articleId === 'string' && typeof hint.version === 'number')
  )
}
