import { getSchema } from '@tiptap/core'
import { EditorState } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { createRandom, documentOf, paragraphs, wordOf } from './prose.mjs'
import { load, median } from './rig.mjs'
import { ahoCorasick, naive, yoast } from './scorecard-ways.mjs'
import { writeSection } from './write-section.mjs'

/**
 * What the scorecard costs at a keystroke. Run `npm install` in bench/ first, then `node bench/scorecard.mjs`; it takes
 * about two minutes. Every key is counted by all ways in turn, and the ways must agree on the keywords used.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const schema = getSchema([StarterKit])
const KEYS = 200
/** The slow ways are measured at fewer keys. */
const SLOW_KEYS = 3
/** Words of the texts in which yoastseo looks for its keyphrase: it takes seconds for a long one. */
const YOAST_SIZES = [1_000, 20_000]
const SIZES = [
  [1_000, 50],
  [1_000, 300],
  [1_000, 1_000],
  [5_000, 300],
  [20_000, 300],
  [50_000, 300],
  [50_000, 1_000],
]

const { createScorecardStore } = await load('../web/screens/article/scorecard-store.ts')
const rows = SIZES.map(([words, count]) => ({ words, count, times: measure(words, count) }))
const smallest = rows.find(({ words, count }) => words === 1_000 && count === 300)
writeSection('The scorecard at a keystroke', [
  'Word count and use of every keyword after one typed letter, next to the transaction of the editor itself and ways that',
  `read the whole text (medians of ${ROUNDS} rounds in turn, ${KEYS} keys a round, ${SLOW_KEYS} for the last three;`,
  '`node bench/scorecard.mjs`). yoastseo looks for one keyphrase, all others for all keywords.',
  '',
  '| Words, keywords | Transaction | Scorecard | of the transaction | Regular expressions | Aho-Corasick | yoastseo, one keyphrase |',
  '|---|---|---|---|---|---|---|',
  ...rows.map(row),
  '',
  `The scorecard at 50,000 words costs ${of(
    rows.find(({ words, count }) => words === 50_000 && count === 300),
    smallest,
  )}x of what it costs at 1,000 (300 keywords).`,
])

function row({ words, count, times }) {
  const against = (way) =>
    times[way].length === 0
      ? '–'
      : `${time(times[way])} (${Math.round(median(times[way]) / median(times.scorecard)).toLocaleString('en')}x)`
  const share = median(times.scorecard.map((ms, round) => ms / times.transaction[round]))
  return (
    `| ${words.toLocaleString('en')}, ${count.toLocaleString('en')} | ${time(times.transaction)} | ${time(times.scorecard)} ` +
    `| ${share.toFixed(2)}x | ${against('naive')} | ${against('automaton')} | ${against('yoast')} |`
  )
}

function of(one, other) {
  return (median(one.times.scorecard) / median(other.times.scorecard)).toFixed(1)
}

function time(values) {
  const ms = median(values)
  if (ms < 1) return `${(ms * 1_000).toFixed(1)} µs`
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
}

/** Times in milliseconds a key, one for each round. */
function measure(words, count) {
  const random = createRandom(words + count)
  const keywords = keywordsOf(random, count)
  const document = schema.nodeFromJSON(documentOf(paragraphs(words, words)))
  const ways = { naive: naive(keywords), automaton: ahoCorasick(keywords) }
  if (YOAST_SIZES.includes(words)) ways.yoast = yoast(keywords[0])
  const times = { transaction: [], scorecard: [], naive: [], automaton: [], yoast: [] }
  const store = createScorecardStore([{ category: 'Must Use', keywords }])
  store.update(document)
  let state = EditorState.create({ doc: document })
  type(KEYS, { transaction: [], scorecard: [] })
  for (let round = 0; round < ROUNDS; round += 1) {
    const spent = { transaction: [], scorecard: [] }
    type(KEYS, spent)
    times.transaction.push(median(spent.transaction))
    times.scorecard.push(median(spent.scorecard))
    for (const [name, way] of Object.entries(ways)) times[name].push(wholeText(way))
  }
  const text = textOf(state)
  const used = store.read().groups[0].used
  for (const way of [ways.naive, ways.automaton]) {
    const found = way(text).used
    if (found !== used) throw new Error(`Not the same keywords: ${found} and ${used}`)
  }
  return times

  /** Letters all over the text. */
  function type(keys, spent) {
    for (let key = 0; key < keys; key += 1) {
      const block = state.doc.child(Math.floor(random() * state.doc.childCount))
      let start = 1
      state.doc.forEach((child, offset) => {
        if (child === block) start = offset + 1
      })
      const at = start + Math.floor(random() * block.content.size)
      const [before, between] = [performance.now(), state.apply(state.tr.insertText('e', at))]
      const applied = performance.now()
      store.update(between.doc)
      spent.scorecard.push(performance.now() - applied)
      spent.transaction.push(applied - before)
      state = between
    }
  }

  function wholeText(way) {
    const spent = []
    for (let key = 0; key < SLOW_KEYS; key += 1) {
      const before = performance.now()
      way(textOf(state))
      spent.push(performance.now() - before)
    }
    return median(spent)
  }
}

function textOf({ doc }) {
  return doc.textBetween(0, doc.content.size, '\n')
}

/** Keywords of one to four words; about half of them use only words that are common in the texts. */
function keywordsOf(random, count) {
  const found = new Set()
  while (found.size < count) {
    const rare = found.size % 2 === 0 ? 0 : 3_000
    const words = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      wordOf(rare + Math.floor(3_000 * random() ** 3)),
    )
    found.add(words.join(' '))
  }
  return [...found]
}
