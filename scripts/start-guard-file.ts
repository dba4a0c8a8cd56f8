import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { compiledScript } from './compiled-script.ts'

const ENTRY = fileURLToPath(new URL('../web/start-guard.ts', import.meta.url))

/**
 * Builds web/start-guard.ts as a plain script of its own that shares nothing with the application, and names it first
 * in the page. While the page is developed there is none.
 */
export function startGuard(): Plugin {
  let file = ''
  return {
    name: 'start-guard',
    apply: 'build',
    async buildStart() {
      this.addWatchFile(ENTRY)
      file = this.emitFile({
        type: 'asset',
        name: 'start-guard.js',
        source: await compiledScript(ENTRY),
      })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: () => [{ tag: 'script', attrs: { src: `/${PLACE}` }, injectTo: 'head-prepend' }],
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') this.error('The build has no index.html')
        page.source = String(page.source).replace(PLACE, this.getFileName(file))
      },
    },
  }
}

const PLACE = 'start-guard'
