import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../process/package-folder.ts'

let list: ReadonlySet<string> | undefined

/** Whether the lower-case text is on the list of nearly 18,000 most frequently leaked passwords. */
export function isOnList(text: string): boolean {
  list ??= readList()
  return list.has(text)
}

/** Read on first use. The notice with the source of the list ends with an empty line. */
function readList(): ReadonlySet<string> {
  const file = join(packageFolder(), 'api/accounts/common-passwords.txt')
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Set(lines.slice(lines.indexOf('') + 1).filter((line) => line !== ''))
}
