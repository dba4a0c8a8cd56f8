import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench -- NAME` builds this tree and runs a benchmark. `npm run bench -- NAME COMMIT` builds that commit too, in
 * a folder that is removed afterwards, and runs both: `api` in turn in one run, with their ratios, which become a section of
 * docs/benchmarks.md (bench/api.mjs), and the others one after the other, each with its own section, which is only printed.
 */

const TREE = fileURLToPath(new URL('..', import.meta.url))
const FIGURES = 'docs/benchmarks.md'
const names = readdirSync(join(TREE, 'bench'))
  .filter(
    (file) =>
      file.endsWith('.mjs') &&
      readFileSync(join(TREE, 'bench', file), 'utf8').includes('writeSection('),
  )
  .map((file) => file.slice(0, -4))
  .filter((name) => name !== 'write-section')

const [name = '', commit] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`npm run bench -- NAME [COMMIT], where NAME is one of ${names.join(', ')}`)
  process.exit(2)
}
build(TREE)
if (commit === undefined) run(TREE)
else await compareWith(commit)

async function compareWith(commit) {
  const short = git('rev-parse', '--short', `${commit}^{commit}`)
  const folder = join(mkdtempSync(join(tmpdir(), 'contun-bench-')), short)
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }
  git('worktree', 'add', '--quiet', '--detach', folder, short)
  process.once('SIGINT', () => {
    remove()
    process.exit(130)
  })
  try {
    install(folder, '.')
    if (existsSync(join(TREE, 'bench/node_modules'))) install(folder, 'bench')
    build(folder)
    if (name === 'api') run(TREE, { OTHER: folder, OTHER_NAME: short })
    else compareSections(folder, short)
  } finally {
    remove()
  }
}

/** Equal packages are those of this tree; others are installed. */
function install(folder, part) {
  const lock = join(part, 'package-lock.json')
  const isSame = readFileSync(join(TREE, lock), 'utf8') === readFileSync(join(folder, lock), 'utf8')
  if (isSame) symlinkSync(join(TREE, part, 'node_modules'), join(folder, part, 'node_modules'))
  else start('npm', ['ci'], join(folder, part))
}

/** Benchmarks import the compiled API, or start the product itself. */
function build(folder) {
  start('npm', ['run', 'build'], folder)
}

function run(folder, env = {}) {
  start(process.execPath, [`bench/${name}.mjs`], folder, env)
}

function compareSections(folder, short) {
  const kept = join(folder, '..', 'kept.md')
  cpSync(join(TREE, FIGURES), kept)
  try {
    for (const [tree, title] of [
      [folder, short],
      [TREE, 'this tree'],
    ]) {
      console.log(`\n${title}:`)
      run(tree)
    }
  } finally {
    cpSync(kept, join(TREE, FIGURES))
  }
}

function start(command, words, cwd, env = {}) {
  const { status } = spawnSync(command, words, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed in ${cwd}`)
}

function git(...words) {
  return execFileSync('git', words, { cwd: TREE, encoding: 'utf8' }).trim()
}
