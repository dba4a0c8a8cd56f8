import { exportFileName, folderName, receiptFileName } from '../../../ui/words/file-name.ts'

/** Paths in one archive. No two are the same, also to file systems that take capital and small letters for one. */
export function createSavedPaths() {
  const taken = new Set<string>()

  function free(pathAt: (kind: string) => string): string {
    for (let count = 1; ; count += 1) {
      const path = pathAt(count === 1 ? '' : ` (${count})`)
      const key = path.normalize('NFKC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return path
    }
  }

  const folder = (client: string | null) => folderName(client ?? 'No client')
  return {
    article: (client: string | null, name: string, ending: string): string =>
      free((kind) => `${folder(client)}/${exportFileName(name, kind, ending)}`),
    receipt: (client: string | null, name: string, number: number): string =>
      free((kind) => `${folder(client)}/Receipts/${receiptFileName(`${name}${kind}`, number)}`),
  }
}

export type SavedPaths = ReturnType<typeof createSavedPaths>
