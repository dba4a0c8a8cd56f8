import type { Clock } from '../../sync/ports.ts'

/** What packs a body by gzip, and where. */
export type Pack = (text: string) => Promise<ArrayBuffer>

export const gzip: Pack = async (text) => {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).arrayBuffer()
}

export type PackQuestion = { id: number; text: string }
/** `ready` once, when the thread stands. */
export type PackAnswer = 'ready' | { id: number; packed: ArrayBuffer }

/** To pack what is shorter takes less than a frame. */
const WORTH_A_THREAD_CHARACTERS = 100_000
const ANSWER_MS = 2_000

type Asked = { text: string; resolve: (packed: ArrayBuffer | Promise<ArrayBuffer>) => void }

/**
 * Packs long bodies in a thread of their own: browsers pack on the thread that asks, and a batch of texts would hold it up
 * for as long as its rows take. The thread is opened with the first of them, and until it stands this one packs, as it
 * does once the other has failed: what is to be sent waits for no file.
 */
export function packBeside(openWorker: () => Worker, clock: Clock): Pack {
  const waiting = new Map<number, Asked>()
  let worker: Worker | null = null
  let state: 'opening' | 'ready' | 'failed' = 'opening'
  let lastId = 0

  function open(): Worker | null {
    try {
      const opened = openWorker()
      opened.onmessage = ({ data }: MessageEvent<PackAnswer>) => {
        if (data === 'ready') state = 'ready'
        else answer(data.id, () => data.packed)
      }
      opened.onerror = fail
      return opened
    } catch {
      state = 'failed'
      return null
    }
  }

  function fail(): void {
    state = 'failed'
    worker?.terminate()
    for (const id of waiting.keys()) answer(id, gzip)
  }

  function answer(id: number, pack: (text: string) => ArrayBuffer | Promise<ArrayBuffer>): void {
    const asked = waiting.get(id)
    waiting.delete(id)
    asked?.resolve(pack(asked.text))
  }

  return (text) => {
    if (state === 'failed' || text.length < WORTH_A_THREAD_CHARACTERS) return gzip(text)
    worker ??= open()
    if (state !== 'ready' || worker === null) return gzip(text)
    const id = ++lastId
    const question: PackQuestion = { id, text }
    worker.postMessage(question)
    clock.after(ANSWER_MS, () => waiting.has(id) && fail())
    return new Promise((resolve) => waiting.set(id, { text, resolve }))
  }
}
