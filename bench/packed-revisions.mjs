import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { historyOf } from './revision-histories.mjs'
import { median } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What the versions of an article take when they are packed together. Run `node bench/packed-revisions.mjs`; it takes
 * seconds, and writes its section of docs/benchmarks.md when SECTION is set.
 */

const ARTICLES = 20
const VERSIONS = 100
const TEXT_BYTES = 10_000
const CHANGED = [1, 5, 20]
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 },
}

const timeOf = (work) => {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

const rows = CHANGED.map((changed) => {
  const articles = Array.from({ length: ARTICLES }, (_, seed) =>
    historyOf(seed + 1, VERSIONS, TEXT_BYTES, changed).map(({ json }) => json),
  )
  const perVersion = (pack) => {
    const sizes = articles.flatMap((texts) => pack(texts))
    return `${(sizes.reduce((sum, size) => sum + size, 0) / (ARTICLES * VERSIONS)).toFixed(0)} B`
  }
  const whole = articles.map((texts) => texts.join('\n'))
  const packed = whole.map((text) => brotliCompressSync(text, BROTLI))
  const cells = [
    changed,
    perVersion((texts) => texts.map((text) => Buffer.byteLength(text))),
    perVersion((texts) => texts.map((text) => gzipSync(text).length)),
    perVersion((texts) => gzipSync(texts.join('\n')).length),
    perVersion((texts) => brotliCompressSync(texts.join('\n'), BROTLI).length),
    `${median(whole.map((text) => timeOf(() => brotliCompressSync(text, BROTLI)))).toFixed(1)} ms`,
    `${median(packed.map((bytes) => timeOf(() => brotliDecompressSync(bytes)))).toFixed(1)} ms`,
  ]
  return `| ${cells.join(' | ')} |`
})

const lines = [
  `Bytes of a version, in articles of ${VERSIONS} versions: sixty while the text grows to ${TEXT_BYTES / 1_000} KB of English, then forty that change so`,
  `many sentences each (medians of ${ARTICLES} articles; \`node bench/packed-revisions.mjs\`).`,
  '',
  '| Sentences | JSON | each by gzip | all together by gzip | by Brotli | packing an article | reading it |',
  '|---|---|---|---|---|---|---|',
  ...rows,
]
console.log(lines.join('\n'))
if (process.env.SECTION) writeSection('Revisions packed by article', lines)
