import type { OpenCsvSession } from './csv-import.ts'
import type { CsvAnswer } from './csv-session.ts'

/** Sessions that run in a worker each; closing one ends its worker in the middle of whatever it does. */
export function workerSession(openWorker: () => Worker): OpenCsvSession {
  return ({ answer, failed }) => {
    const worker = openWorker()
    worker.onmessage = ({ data }: MessageEvent<CsvAnswer>) => answer(data)
    worker.onerror = failed
    return {
      ask: (question) => worker.postMessage(question),
      close: () => worker.terminate(),
    }
  }
}
