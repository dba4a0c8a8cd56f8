import { fileURLToPath } from 'node:url'
import { mergeConfig, type Plugin } from 'vite'
import config from '../vite.config.ts'

/** The page as a later release: its first script, its shell and one part that is fetched later are others. */

const CHANGED = /\/web\/(main\.tsx|screens\/article\/completion-dialog\.tsx)$/

const otherRelease: Plugin = {
  name: 'other-release',
  transform(code, id) {
    const [, part] = CHANGED.exec(id) ?? []
    if (!part) return null
    const name = part.startsWith('main') ? 'release' : 'part'
    return { code: `${code}\ndocument.documentElement.dataset.${name} = 'b'\n`, map: null }
  },
}

export const OTHER_RELEASE = fileURLToPath(
  new URL('../.test-results/other-release', import.meta.url),
)

export default mergeConfig(config, {
  plugins: [otherRelease],
  build: { outDir: `${OTHER_RELEASE}/public` },
})
