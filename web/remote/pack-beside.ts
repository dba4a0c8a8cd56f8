import type { Clock } from '../../sync/ports.ts'
import { gzip, type Pack } from './pack.ts'

export type PackQuestion = { id: number; text: string }
/** `ready` once, when the worker has started. */
export type PackAnswer = 'ready' | { id: number; packed: ArrayBuffer }

const ANSWER_MS = 2_000

type Asked = { text: string; resolve: (packed: ArrayBuffer | Promise<ArrayBuffer>) => void }

/**
 * Packs in a worker: browsers compress on the calling thread, and a batch of texts would block it for as long as its
 * rows take. Packs on the calling thread until the worker is ready, and after it has failed.
 */
export function packBeside(openWorker: () => Worker, clock: Clock): Pack {
  const waiting = new Map<number, Asked>()
  let state: 'opening' | 'ready' | 'failed' = 'opening'
  let lastId = 0
  const worker = open()

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
    if (state !== 'ready' || worker === null) return gzip(text)
    const id = ++lastId
    const question: PackQuestion = { id, text }
    worker.postMessage(question)
    clock.after(ANSWER_MS, () => waiting.has(id) && fail())
    return new Promise((resolve) => waiting.set(id, { text, resolve }))
  }
}
