import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SQLITE_PACKAGE } from '../dist/api/database/sqlite/better-sqlite3.js'
import { root } from './prepare.mjs'

/**
 * Copies the files of a production server to a new folder: the built pages, the bundled server, files read at run time,
 * and packages with native code, which cannot be bundled. `node scripts/pack-server.mjs FOLDER`, after `npm run build`.
 */
const RUN_TIME = [
  'dist/public',
  'dist/server',
  'api/accounts/common-passwords.txt',
  'api/demo/content',
  'docs/operations.md',
]
/** Version 13 of the driver finds its binary itself; 12 needs the other two. */
const PACKAGES =
  SQLITE_PACKAGE === 'better-sqlite3'
    ? [SQLITE_PACKAGE, 'bindings', 'file-uri-to-path']
    : [SQLITE_PACKAGE]
/** Sources of SQLite, not needed at run time. */
const SOURCES =
  /better-sqlite3(-13)?[\\/](deps|src|build[\\/](?!Release[\\/]better_sqlite3\.node$|Release$))/

const [target] = process.argv.slice(2)
if (target === undefined || existsSync(target)) {
  console.error('node scripts/pack-server.mjs FOLDER   a folder that does not exist yet')
  process.exit(1)
}
const folder = resolve(target)
mkdirSync(folder, { recursive: true })
for (const path of RUN_TIME) cpSync(join(root, path), join(folder, path), { recursive: true })
for (const name of PACKAGES) {
  const from = join(root, 'node_modules', name)
  if (!existsSync(from)) continue
  cpSync(from, join(folder, 'node_modules', name), {
    recursive: true,
    filter: (source) => !SOURCES.test(source),
  })
}
const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ name, version, private: true, type }, null, 2)}\n`,
)
