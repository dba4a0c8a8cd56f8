import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { compiledScript } from './compiled-script.ts'

const ENTRY = fileURLToPath(
  new URL('../web/screens/article/receipt/self-check/self-check.ts', import.meta.url),
)
const NAME = 'virtual:self-check'
const RESOLVED = `\0${NAME}`

/** Builds the script of saved receipts, and gives it to the application as a text with its digest. */
export function selfCheck(): Plugin {
  return {
    name: 'self-check',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      this.addWatchFile(ENTRY)
      const source = await compiledScript(ENTRY)
      // These would end the element, or keep its end from being one.
      if (/<\/?script/i.test(source)) this.error('The script cannot be inside a page')
      const digest = `sha256-${createHash('sha256').update(source).digest('base64')}`
      return `export const source = ${JSON.stringify(source)}\nexport const digest = ${JSON.stringify(digest)}\n`
    },
  }
}
