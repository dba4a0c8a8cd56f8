import { ConfigError } from '../config.ts'
import { DatabaseRefused } from '../database/database-refused.ts'
import { keepFilesPrivate } from '../server.ts'
import { CommandError } from './command-error.ts'

/** What a command prints, and whether what it examined is well. */
export type Report = { text: string; isWell: boolean }

/**
 * Prints what `work` returns; exit code 1 for a report that is not well. A CommandError is printed as its message, any
 * other fault with its stack; both exit with code 1. The last words of a command wait for their reader: it holds
 * nothing then that another process needs. A reader that is gone has read what it wanted.
 */
export async function runAsCommand(work: () => Promise<string | Report>): Promise<void> {
  keepFilesPrivate()
  try {
    const done = await work()
    const { text, isWell } = typeof done === 'string' ? { text: done, isWell: true } : done
    if (!isWell) process.exitCode = 1
    await print(process.stdout, text)
  } catch (fault) {
    process.exitCode = 1
    const isExpected =
      fault instanceof CommandError ||
      fault instanceof ConfigError ||
      fault instanceof DatabaseRefused
    const text = isExpected ? fault.message : ((fault as Error).stack ?? '')
    await print(process.stderr, text).catch(() => {})
  }
}

function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code === 'EPIPE') resolve()
      else reject(new CommandError(`The output could not be written: ${fault.message}`))
    })
    stream.write(`${text}\n`, (fault) => {
      if (!fault) resolve()
    })
  })
}
