import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Log } from '../deps.ts'
import { makeFolder } from '../process/folders.ts'

/** Tabs may still run this release or one of the two before it. */
const RELEASES_KEPT = 3
const ARCHIVE = /^[\w-]{43}\.json$/
/** An archive that is being written, or that a killed server left. */
const PARTIAL = /\.partial$/
const WRITTEN_WITHIN_MS = 60 * 60_000

type Bytes = Buffer<ArrayBuffer>
/** The files of one release by their paths. */
export type ReleaseFiles = ReadonlyMap<string, Bytes>

export type KeptReleases = ReturnType<typeof keptReleases>

/**
 * Hashed files of the last releases in `folder`, which outlives the folder of the program: one archive for each
 * release, named by the digest of its content. An archive with another digest is ignored.
 */
export function keptReleases(
  folder: string,
  { clock, log }: { clock: Pick<Clock, 'now'>; log: Log },
) {
  const read = new Map<string, Promise<ReleaseFiles | null>>()
  let listing: Promise<string[]> | null = null

  /** One listing for all that wait: a folder that does not answer keeps one thread and not those of password checks. */
  const archives = () => {
    listing ??= filesIn(folder, ARCHIVE).finally(() => {
      listing = null
    })
    return listing
  }

  return {
    /** Keeps the files of the running release for later releases. Never rejects: the server runs without it. */
    async keep(files: ReleaseFiles) {
      const name = nameOf(files)
      try {
        read.set(name, Promise.resolve(files))
        await dropPartials(folder, clock.now())
        const isWritten = (await readArchive(join(folder, name))) !== null
        if (!isWritten) await writeArchive(folder, name, files)
        const now = clock.now() / 1_000
        await utimes(join(folder, name), now, now)
        await pruneArchives(folder)
      } catch (err) {
        log.warn({ err }, 'The files of this release could not be kept for the next one')
      }
    },
    /** A file of an earlier release, or of one that runs on another node with the same folder. */
    async find(path: string) {
      for (const name of await archives()) {
        const reading = read.get(name) ?? readArchive(join(folder, name))
        read.set(name, reading)
        const bytes = (await reading)?.get(path)
        if (bytes) return bytes
      }
      return undefined
    },
  }
}

async function filesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => pattern.test(name))
}

async function dropPartials(folder: string, now: number): Promise<void> {
  for (const name of await filesIn(folder, PARTIAL)) {
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < now - WRITTEN_WITHIN_MS) await rm(join(folder, name), { force: true })
  }
}

async function writeArchive(folder: string, name: string, files: ReleaseFiles): Promise<void> {
  const entries = [...files].map(([path, bytes]) => [path, bytes.toString('base64')])
  const partial = join(folder, `${name}.${process.pid}.partial`)
  await makeFolder(folder)
  try {
    await writeFile(partial, JSON.stringify(entries), { flush: true, mode: 0o600 })
    await rename(partial, join(folder, name))
  } finally {
    // On a full disk it occupies space that the database needs.
    await rm(partial, { force: true })
  }
}

async function pruneArchives(folder: string): Promise<void> {
  const found = await Promise.all(
    (await filesIn(folder, ARCHIVE)).map(async (name) => ({
      name,
      at: (await stat(join(folder, name))).mtimeMs,
    })),
  )
  found.sort((a, b) => b.at - a.at)
  for (const { name } of found.slice(RELEASES_KEPT)) await rm(join(folder, name), { force: true })
}

function nameOf(files: ReleaseFiles): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  }
  return `${hash.digest('base64url')}.json`
}

/** Null when it is missing, or when its content does not have the digest in its name. */
async function readArchive(file: string): Promise<ReleaseFiles | null> {
  try {
    const entries = JSON.parse(await readFile(file, 'utf8')) as [string, string][]
    const files = new Map(entries.map(([path, text]) => [path, Buffer.from(text, 'base64')]))
    return file.endsWith(nameOf(files)) ? files : null
  } catch {
    return null
  }
}
