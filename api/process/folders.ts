import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config.ts'

/**
 * Makes the folder and those above it, for the owner alone. Not by `recursive`, with which Node tries without end below
 * /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT' && !(await isFolder(dirname(folder)))) {
      await makeFolder(dirname(folder))
      return makeFolder(folder)
    }
    if (code !== 'EEXIST') throw fault
    if (!(await isFolder(folder))) throw new Error('it is a file')
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Makes the folder of this setting. Throws a ConfigError where nothing can be written into it. */
export async function ensureFolder(setting: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await rmdir(await mkdtemp(join(folder, '.write-test-')))
  } catch (fault) {
    // A server starts with a full disk too, and serves what is there.
    if (isFull(fault)) return
    throw unusable(`${setting} ${folder}`, 'written', fault)
  }
}

const isFull = (fault: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((fault as NodeJS.ErrnoException).code ?? '')

export const unusable = (what: string, how: 'read' | 'written', fault: unknown): ConfigError =>
  new ConfigError(
    what,
    `cannot be ${how} (${(fault as Error).message}). It must belong to the account that runs the server: ` +
      'docs/operations.md, "Who owns the data"',
  )
