import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD } from './agency.ts'

/** The last commit whose page knows no links. */
const BEFORE_LINKS = 'cca056b227e970ebc8f9f3803d78c6e1b115036f'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const folder = join(checkout, '.test-results/before-links')

/**
 * Builds the page of that commit, which takes about a minute and needs the history of the repository, and puts the server
 * of this build next to it. Returns the folder with both; `remove` deletes it.
 */
export function buildBeforeLinks(): { folder: string; remove: () => void } {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  remove()
  mkdirSync(folder, { recursive: true })
  const parts = ['web', 'sync', 'domain', 'scripts', 'vite.config.ts', 'tsconfig.base.json']
  const source = execFileSync('git', ['archive', BEFORE_LINKS, '--', 'package.json', ...parts], {
    cwd: checkout,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: source })
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  execFileSync('npx', ['vite', 'build'], { cwd: folder, stdio: 'ignore' })
  cpSync(join(BUILD, 'server'), join(folder, 'dist/server'), { recursive: true })
  return { folder: join(folder, 'dist'), remove }
}
