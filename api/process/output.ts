import { constants, openSync, write as writeFile } from 'node:fs'
import { isatty } from 'node:tty'

/** Bytes that wait for the reader of the output; what does not fit is dropped. */
export const OUTPUT_BYTES_MAX = 256 * 1024
/** Pause before another try where the output takes nothing: its reader has stopped or is gone, or its disk is full. */
const RETRY_MS = 100
/** What a stop waits for output that is not taken. */
const FLUSH_MS = 1_000

export type Output = ReturnType<typeof createOutput>

export type OutputSources = {
  /** Calls back with the number of bytes that were written. */
  write(bytes: Buffer, done: (fault: Error | null, written: number) => void): void
  /** Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/**
 * What this process prints. Writing never blocks: not when the reader has stopped, the pipe is closed or the disk is full.
 * pino's asynchronous destination blocks without a limit when the process exits and its reader has stopped.
 */
export function createOutput({ write, after }: OutputSources) {
  let waiting: Buffer[] = []
  let bytes = 0
  let dropped = 0
  let isBusy = false
  let noteDropped = (_count: number): void => {}
  const whenEmpty = new Set<() => void>()

  function next(): void {
    if (isBusy) return
    if (waiting.length === 0) {
      settle()
      return
    }
    isBusy = true
    const all = Buffer.concat(waiting)
    waiting = [all]
    write(all, (fault, written) => {
      if (fault) after(RETRY_MS, again)
      else take(written)
    })
  }

  function again(): void {
    isBusy = false
    next()
  }

  function take(written: number): void {
    const [first, ...later] = waiting
    const rest = first?.subarray(written)
    waiting = rest?.length ? [rest, ...later] : later
    bytes -= written
    again()
  }

  function settle(): void {
    const count = dropped
    dropped = 0
    if (count > 0) noteDropped(count)
    else for (const done of whenEmpty) done()
  }

  return {
    /** Never waits and never throws. Drops the text where too much is waiting. */
    write(text: string) {
      const added = Buffer.from(text)
      if (dropped > 0 || bytes + added.length > OUTPUT_BYTES_MAX) {
        dropped += 1
        return
      }
      waiting.push(added)
      bytes += added.length
      next()
    },
    /** Resolves when everything is written, or after FLUSH_MS. */
    flushed: () =>
      new Promise<void>((resolve) => {
        const done = () => {
          cancel()
          whenEmpty.delete(done)
          resolve()
        }
        const cancel = after(FLUSH_MS, done)
        whenEmpty.add(done)
        next()
      }),
    /**
     * `listener` receives how many texts were dropped since the output stalled, once it takes more. Until then all later
     * ones are dropped too, so that there is one gap.
     */
    onceTaken(listener: (dropped: number) => void) {
      noteDropped = listener
    },
  }
}

/** The write of the standard output (1) or the standard error (2), which never keeps the thread that it runs in. */
export function standardWrite(handle: 1 | 2): OutputSources['write'] {
  let opened: number | null = null
  return (bytes, done) => {
    opened ??= openWithoutWaiting(handle)
    writeFile(opened, bytes, 0, bytes.length, null, done)
  }
}

/**
 * A write to a stopped terminal would occupy a thread, and a process with such a thread cannot end. Where the terminal
 * cannot be opened a second time, so as not to change it for other programs, it is used as it is.
 */
function openWithoutWaiting(handle: 1 | 2): number {
  if (!isatty(handle)) {
    // Node makes pipes and sockets non-blocking when it makes its stream; its errors are those of this module's writes.
    const stream = handle === 1 ? process.stdout : process.stderr
    stream.on('error', () => {})
    return handle
  }
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
    return openSync(`/dev/fd/${handle}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return handle
  }
}
