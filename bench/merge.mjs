import { createRandom } from './prose.mjs'
import { load, quantile } from './rig.mjs'
import { writeSection } from './write-section.mjs'

/**
 * The three-way merge of two writers' texts. `node bench/merge.mjs` takes about a minute and writes its section
 * of docs/benchmarks.md. It counts the time of the processor, on which other work of the machine has little part.
 * Texts are new objects for each merge, as they come from the database and the network.
 */

const ROUNDS = 40
const WARM_UP = 10

const cases = [
  ['10,000 words, 3 edits a side', 10_000, 100, 3],
  ['50,000 words, 3 edits a side', 50_000, 100, 3],
  ['10,000 words, 50 edits a side', 10_000, 100, 50],
  ['5,000 words, 50 edits a side', 5_000, 100, 50],
  ['one paragraph of 20,000 words, 3 edits a side', 20_000, 20_000, 3],
  ['one paragraph of 20,000 words, 200 edits a side', 20_000, 20_000, 200],
  ['5,000 words, every sentence rewritten by both', 5_000, 100, 1_000],
  ['20,000 paragraphs of 5 words, 3 edits a side', 100_000, 5, 3],
  ['20,000 paragraphs of 5 words, 5,000 moved by one, 3 edits by the other', 100_000, 5, 3, 5_000],
]

const { merge3 } = await load('../sync/merge/merge3.ts')
const times = new Map(cases.map(([name]) => [name, []]))
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  for (const [name, words, perBlock, edits, moves = 0] of cases) {
    const random = createRandom(round * 7_919 + words + edits)
    const base = proseOf(random, words, perBlock)
    const [mine, theirs] = ['m', 't'].map((side) => edited(random, base, edits, side))
    mine.unshift(...mine.splice(mine.length / 2, moves))
    const texts = [base, mine, theirs].map(documentOf)
    const before = process.cpuUsage()
    merge3(...texts)
    if (round >= WARM_UP) times.get(name).push(process.cpuUsage(before).user / 1_000)
  }
}

const [first] = cases[0]
writeSection('Merging two writers’ texts', [
  'Time of the processor. Prose of 800 different words in paragraphs of 100, edits of one to five words all over it',
  `(${ROUNDS} merges a row after ${WARM_UP} to warm up, rows interleaved; \`node bench/merge.mjs\`).`,
  '',
  '| Merge | Median | 99th percentile | Against the first row |',
  '|---|---|---|---|',
  ...cases.map(([name]) => {
    const [median, late] = [0.5, 0.99].map((share) => quantile(times.get(name), share))
    const ratio = median / quantile(times.get(first), 0.5)
    return `| ${name} | ${median.toFixed(1)} ms | ${late.toFixed(1)} ms | ${ratio.toFixed(1)}x |`
  }),
])

/** Paragraphs of words; some words are far more common than others, as in any language. */
function proseOf(random, words, perBlock) {
  return Array.from({ length: words / perBlock }, () =>
    Array.from({ length: perBlock }, () => `word${Math.floor(800 * random() ** 3)}`),
  )
}

function edited(random, base, edits, side) {
  const blocks = base.map((words) => [...words])
  for (let edit = 0; edit < edits; edit += 1) {
    const words = blocks[Math.floor(random() * blocks.length)]
    const at = Math.floor(random() * words.length)
    const typed = Array.from(
      { length: 1 + Math.floor(random() * 5) },
      (_, n) => `${side}${edit}.${n}`,
    )
    words.splice(at, Math.floor(random() * 3), ...typed)
  }
  return blocks
}

function documentOf(blocks) {
  const content = blocks.map((words) => {
    return { type: 'paragraph', content: [{ type: 'text', text: words.join(' ') }] }
  })
  return { type: 'doc', content }
}
