import type { Asked } from '../csv/csv-turns.ts'
import type { ZipAnswer, ZipQuestion } from './zip-session.ts'

export type Archive = ReturnType<typeof openArchive>

/** The part of a worker that is used. */
export type ZipWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** An archive that is written in a worker. `close` ends the worker in the middle of whatever it does. */
export function openArchive(openWorker: () => ZipWorker) {
  const worker = openWorker()
  const waiting = new Map<number, (answer: ZipAnswer) => void>()
  // A worker that failed answers nothing any more, later questions included.
  const failure = new Promise<never>((_, reject) => {
    worker.onerror = () => reject(new Error('The archive could not be written.'))
  })
  failure.catch(() => {})
  let last = 0
  worker.onmessage = ({ data }: MessageEvent<ZipAnswer>) => {
    waiting.get(data.turn)?.(data)
    waiting.delete(data.turn)
  }

  function ask(question: Asked<ZipQuestion>): Promise<ZipAnswer> {
    const turn = ++last
    const answer = new Promise<ZipAnswer>((resolve) => {
      waiting.set(turn, resolve)
      worker.postMessage({ ...question, turn })
    })
    return Promise.race([answer, failure])
  }

  return {
    /** Resolves with the size of the file before it was packed. Rejects when the worker failed. */
    async add(file: Exclude<Asked<ZipQuestion>, { kind: 'finish' }>) {
      const answer = await ask(file)
      return answer.kind === 'added' ? answer.bytes : 0
    },
    async finish() {
      const answer = await ask({ kind: 'finish' })
      worker.terminate()
      return answer.kind === 'archive' ? answer.archive : new Blob([])
    },
    close: () => worker.terminate(),
  }
}
