import type { OpenSession } from './csv-turns.ts'

/** Sessions that run in a worker each; closing one ends its worker in the middle of whatever it does. */
export function workerSession<Question, Answer>(
  openWorker: () => Worker,
): OpenSession<Question, Answer> {
  return ({ answer, failed }) => {
    const worker = openWorker()
    worker.onmessage = ({ data }: MessageEvent<Answer>) => answer(data)
    worker.onerror = failed
    return {
      ask: (question) => worker.postMessage(question),
      close: () => worker.terminate(),
    }
  }
}
