import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

let list: ReadonlySet<string> | undefined

/** Whether the text, in small letters, is on the list of nearly 18,000 passwords that leaked most often. */
export function isOnList(text: string): boolean {
  list ??= readList()
  return list.has(text)
}

/** Read when it is first asked for. The notice of where the passwords are from ends with an empty line. */
function readList(): ReadonlySet<string> {
  const file = join(packageFolder(), 'api/accounts/common-passwords.txt')
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Set(lines.slice(lines.indexOf('') + 1).filter((line) => line !== ''))
}
