import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Makes api/accounts/common-passwords.txt from the list of the package @zxcvbn-ts/language-common:
 *
 *   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz
 *   node scripts/make-common-passwords.mjs package
 *
 * Only what a password of ours may be is kept, in small letters and sorted. The notice of the package stays
 * above the list.
 */

const LEAST = 8
const MOST = 256
const FILE = fileURLToPath(new URL('../api/accounts/common-passwords.txt', import.meta.url))

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the unpacked package')

const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const notice = readFileSync(`${folder}/LICENSE.txt`, 'utf8')
  .trim()
  .replace(/\n{2,}/g, '\n')
const all = JSON.parse(readFileSync(`${folder}/src/passwords.json`, 'utf8'))
const fitting = all.map((password) => password.toLowerCase()).filter(isPassword)
const sorted = [...new Set(fitting)].sort()

writeFileSync(
  FILE,
  `Common passwords of ${name} ${version}, kept by scripts/make-common-passwords.mjs.\n${notice}\n\n${sorted.join('\n')}\n`,
)
console.log(`${sorted.length} passwords`)

function isPassword(text) {
  return text.length >= LEAST && text.length <= MOST && !text.includes('\n')
}
