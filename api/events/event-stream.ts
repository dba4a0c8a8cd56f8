/** Buffer of a stream for a slow reader. */
const BUFFER_BYTES = 16 * 1024

export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /** Sends one event as text/event-stream. Without data it is a comment that keeps the connection open. */
  send(event?: { name?: string; data: object }): void
  /** Whether at least half of its buffer is free. */
  isKeepingUp(): boolean
  /** Ends the response normally. */
  end(): void
}

/**
 * A body of events that buffers only a few for its reader: a reader that does not keep up is disconnected and has to
 * reconnect. `gone` is called once, for either side that ended it.
 */
export function eventStream({ hangUp, gone }: { hangUp(): void; gone(): void }): EventStream {
  const encoder = new TextEncoder()
  let out: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        out = controller
      },
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  )

  function close(): void {
    if (out === null) return
    out = null
    gone()
  }

  function end(): void {
    out?.close()
    close()
  }

  return {
    body,
    end,
    isKeepingUp: () => (out?.desiredSize ?? 0) >= BUFFER_BYTES / 2,
    send(event) {
      const bytes = encoder.encode(event === undefined ? ':\n\n' : written(event))
      if (out === null) return
      if ((out.desiredSize ?? 0) >= bytes.length) return out.enqueue(bytes)
      end()
      hangUp()
    },
  }
}

function written({ name, data }: { name?: string; data: object }): string {
  const line = name === undefined ? '' : `event: ${name}\n`
  return `${line}data: ${JSON.stringify(data)}\n\n`
}
