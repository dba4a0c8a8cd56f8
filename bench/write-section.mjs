import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
const HEAD = `# Benchmarks

Every section is written by its own command under \`bench/\`. Absolute times belong to the machine and the moment; read the
ratios, which compare things measured in turn in the same run. What needs other libraries needs \`npm install\` in \`bench/\`.
`

/** Replaces one section of docs/benchmarks.md, with the machine and the commit it was measured on. */
export function writeSection(title, lines) {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD
  const [head, ...sections] = before.split(/^(?=## )/m)
  const kept = sections.filter((section) => !section.startsWith(`## ${title}\n`))
  const section = `## ${title}\n\n${lines.join('\n')}\n\n${machine()}\n`
  writeFileSync(FILE, [head.trimEnd(), ...kept.map((one) => one.trimEnd()), section].join('\n\n'))
  console.log(section)
}

function machine() {
  const [cpu] = cpus()
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const memory = Math.round(totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `Measured ${day} at ${commit}: ${cpus().length} cores (${cpu?.model.trim()}), ${memory} GiB, Node ${process.versions.node}.`
}
