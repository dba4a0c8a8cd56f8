import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../domain/text/canonical.ts'
import { type ArticleDocument, readDocument } from '../../domain/text/document.ts'
import { depth, runCount } from '../../scripts/test-depth.ts'
import { type Acts, type Triple, tripleOf } from '../simulation/merge-triples.ts'
import { addedBy, addressesOf, verdictOf } from '../simulation/merge-verdict.ts'
import type { Vocabulary } from '../simulation/random-edits.ts'
import { typedRunsOf } from '../simulation/random-runs.ts'
import { runVerdictOf } from '../simulation/run-verdict.ts'
import { merge3 } from './merge3.ts'

/**
 * Two writers change the same text at random, in words of their own or in everyday prose, and the ids of the typed words
 * say what must be in the result and how often. MERGE_TRIPLES=1000000 is the long run, MERGE_SEED its first seed.
 */
const TRIPLES = runCount('MERGE_TRIPLES')
/** Lost words must be 0 in any number of merges, so fewer are enough here; the shares of sentences need all of them. */
const WORD_TRIPLES = depth === 'quick' ? Math.ceil(TRIPLES / 4) : TRIPLES
const FIRST_SEED = Number(process.env.MERGE_SEED ?? 0)
const LONG_RUN_MS = 5 * 60 * 60_000

const seeds = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => FIRST_SEED + index)

/** In so many of all merges a run of words may be doubled. */
const DOUBLED_RUNS = 4e-3

type WordActs = Exclude<Acts, 'sentences'>

/** Shares are judged from so many merges on. Of fewer with links, one passage that is kept for its link decides. */
const SHARES_FROM: Record<WordActs, number> = { typing: 1_000, all: 1_000, linking: 20_000 }

/**
 * Shares of the words that both sides added. `again`: what merging the same change a second time adds. Where words recur,
 * equal ones near each other are rather kept twice than lost, so more are added again.
 */
type World = { vocabulary: Vocabulary; acts: WordActs; doubled: number; again: number }

const WORLDS: World[] = [
  { vocabulary: 'unique', acts: 'typing', doubled: 1e-3, again: 1.5e-2 },
  { vocabulary: 'everyday', acts: 'typing', doubled: 2e-3, again: 2e-2 },
  { vocabulary: 'unique', acts: 'all', doubled: 4e-3, again: 1.5e-2 },
  { vocabulary: 'everyday', acts: 'all', doubled: 1.2e-2, again: 2e-2 },
  { vocabulary: 'unique', acts: 'linking', doubled: 4e-3, again: 1.5e-2 },
  { vocabulary: 'everyday', acts: 'linking', doubled: 6e-3, again: 1.5e-2 },
]

const RARE_SIGNS = { disordered: 5e-3, doubled: 5e-3, bare: 3e-3, unflagged: 1e-4 }

/** What the merge is given: what the writer of `mine` typed in one go, as an editor notes it, or the three texts only. */
type Known = 'typed' | 'texts'

/**
 * Largest share of merges of sentences that may have each sign. A torn run is usually cut between two of its sentences. Everyday
 * words make up all sentences of that world, so by the texts only a typed sentence can also be read as an edit of a sentence
 * next to it, and is then broken.
 */
const SENTENCE_SIGNS: Record<Known, Record<Vocabulary, Record<string, number>>> = {
  typed: {
    everyday: { ...RARE_SIGNS, torn: 1.1e-2, broken: 4e-3, lost: 6e-4 },
    unique: { ...RARE_SIGNS, torn: 5e-3, broken: 1e-4, lost: 1e-4 },
  },
  texts: {
    everyday: { ...RARE_SIGNS, torn: 1.6e-2, broken: 8e-3, lost: 6e-4 },
    unique: { ...RARE_SIGNS, torn: 5e-3, broken: 1e-4, lost: 1e-4 },
  },
}

describe(`${TRIPLES} random triples`, { tags: ['@SY-11', '@fault-22', '@fault-23'] }, () => {
  test.for(WORLDS)(
    'in $vocabulary words ($acts): no word or address is lost, hardly a run is doubled, no lines are glued',
    { tags: ['@fault-61', '@fault-62'], timeout: LONG_RUN_MS },
    async ({ vocabulary, acts, doubled, again }, { annotate }) => {
      const found = {
        lost: [] as string[],
        invented: [] as string[],
        invalid: [] as string[],
        addresses: [] as string[],
      }
      const [glued, doubledIn]: [number[], number[]] = [[], []]
      const words = { added: 0, doubled: 0, again: 0 }
      const addresses = { set: 0, reviewed: 0 }
      for (const seed of seeds(WORD_TRIPLES)) {
        const triple = tripleOf(seed, vocabulary, acts)
        const merged = merge3(triple.base, triple.mine, triple.theirs)
        const { document } = merged
        const verdict = verdictOf(triple, merged)
        const named = (names: string[]) => names.map((name) => `${name} of seed ${seed}`)
        found.lost.push(...named(verdict.lost))
        if (verdict.doubledRuns.length > 0) doubledIn.push(seed)
        found.invented.push(...named(verdict.invented))
        if (acts === 'linking') {
          const links = addressesOf(triple, document)
          found.addresses.push(...named(links.lost), ...named(links.invented))
          addresses.set += links.set
          addresses.reviewed += links.reviewed
        }
        // Equal words hide which lines were joined, so only unique ones can show it.
        if (vocabulary === 'unique' && verdict.glued.length > 0) glued.push(seed)
        const reading = readDocument(document)
        if (!reading.ok) found.invalid.push(`seed ${seed}: ${reading.fault}`)
        words.added += verdict.added
        words.doubled += verdict.doubled.length
        words.again += addedBy(document, merge3(triple.base, triple.mine, document).document)
      }
      await annotate(JSON.stringify({ ...words, glued: glued.length, doubledIn, addresses }))
      expect(found).toEqual({ lost: [], invented: [], invalid: [], addresses: [] })
      expect(doubledIn.length, `of ${doubledIn}`).toBeLessThanOrEqual(WORD_TRIPLES * DOUBLED_RUNS)
      if (WORD_TRIPLES < SHARES_FROM[acts]) return
      expect(glued.length / WORD_TRIPLES).toBeLessThanOrEqual(1e-3)
      expect(words.doubled / words.added).toBeLessThanOrEqual(doubled)
      expect(words.again / words.added).toBeLessThanOrEqual(again)
    },
  )

  test.for<[Vocabulary, Known]>([
    ['everyday', 'typed'],
    ['unique', 'typed'],
    ['everyday', 'texts'],
    ['unique', 'texts'],
  ])(
    'of sentences in %s words, by the %s: no word is lost, and hardly a run that a writer typed comes apart',
    { tags: ['@fault-22', '@fault-23'], timeout: LONG_RUN_MS },
    async ([vocabulary, known], { annotate }) => {
      const found = new Map<string, number[]>()
      let runs = 0
      for (const seed of seeds(TRIPLES)) {
        const signs = runSignsOf(tripleOf(seed, vocabulary, 'sentences'), known)
        for (const sign of signs.found) found.set(sign, [...(found.get(sign) ?? []), seed])
        runs += signs.runs
      }
      const shown = [...found].map(([sign, all]) => [
        sign,
        { merges: all.length, of: all.slice(0, 20) },
      ])
      await annotate(JSON.stringify({ runs, ...Object.fromEntries(shown) }))
      for (const [sign, seedsOf] of found)
        expect(seedsOf.length, `${sign}: ${seedsOf}`).toBeLessThanOrEqual(
          TRIPLES * (SENTENCE_SIGNS[known][vocabulary][sign] ?? 0),
        )
    },
  )

  test.for<[number, Acts]>([
    [9_108, 'all'],
    [104_781, 'typing'],
    [204_486, 'all'],
    [208_842, 'typing'],
    [2_005_560, 'all'],
    [2_012_749, 'all'],
    [2_139_045, 'all'],
    [2_021_228, 'all'],
    [2_041_324, 'all'],
    [3_191_486, 'typing'],
  ])('keep each word of triple %d (%s)', ([seed, acts]) => {
    const triple = tripleOf(seed, 'everyday', acts)
    expect(verdictOf(triple, merge3(triple.base, triple.mine, triple.theirs)).lost).toEqual([])
  })

  test('keep each word of triple 7001898 with links, in unique words', () => {
    const triple = tripleOf(7_001_898, 'unique', 'linking')
    expect(verdictOf(triple, merge3(triple.base, triple.mine, triple.theirs)).lost).toEqual([])
  })

  test.each([
    14_261, 43_331, 50_664, 91_358, 149_628, 171_453, 185_373, 205_794, 219_520, 289_885, 345_744,
    539_271, 1_041_843, 1_073_678, 1_136_196, 1_153_320, 2_055_599, 2_102_442, 2_130_053, 2_164_150,
    2_282_447, 3_132_563, 3_138_389, 3_184_879, 4_206_980, 20_104_447, 20_252_907, 20_329_046,
  ])('keep each word and address of triple %d with links', (seed) => {
    const triple = tripleOf(seed, 'everyday', 'linking')
    const merged = merge3(triple.base, triple.mine, triple.theirs)
    const { lost } = addressesOf(triple, merged.document)
    expect([...verdictOf(triple, merged).lost, ...lost]).toEqual([])
  })

  test('come out the same each time, and what was handed in is as it was', () => {
    for (const seed of seeds(Math.min(500, WORD_TRIPLES))) {
      const { base, mine, theirs } = tripleOf(seed, 'everyday')
      const before = canonicalJson([base, mine, theirs])
      const merged = canonicalJson(merge3(base, mine, theirs))
      expect(canonicalJson([base, mine, theirs])).toBe(before)
      const again = JSON.parse(before) as [ArticleDocument, ArticleDocument, ArticleDocument]
      expect(canonicalJson(merge3(...again))).toBe(merged)
    }
  })

  test('merge with one unchanged side to the other, and merged again to the same', () => {
    for (const seed of seeds(Math.min(500, WORD_TRIPLES))) {
      const { base, mine, theirs } = tripleOf(seed, 'everyday')
      const { document } = merge3(base, mine, theirs)
      const same = (text: ArticleDocument) =>
        canonicalJson({ document: text, conflict: false, both: [] })
      expect(canonicalJson(merge3(base, base, theirs))).toBe(same(theirs))
      expect(canonicalJson(merge3(base, mine, base))).toBe(same(mine))
      expect(canonicalJson(merge3(base, mine, mine))).toBe(same(mine))
      expect(canonicalJson(merge3(theirs, document, theirs))).toBe(same(document))
      expect(canonicalJson(merge3(base, document, document))).toBe(same(document))
    }
  })
})

/** All that is wrong with the merge of a text of sentences. */
function runSignsOf(triple: Triple, known: Known): { found: string[]; runs: number } {
  const typed = known === 'typed' ? { mine: typedRunsOf(triple, 'mine') } : {}
  const merged = merge3(triple.base, triple.mine, triple.theirs, typed)
  const { runs, ...faults } = runVerdictOf(triple, merged)
  const { lost, invented } = verdictOf(triple, merged)
  const reading = readDocument(merged.document)
  const named = Object.entries({ ...faults, lost, invented, invalid: reading.ok ? [] : [reading] })
  return { found: named.flatMap(([sign, faulty]) => (faulty.length > 0 ? [sign] : [])), runs }
}
