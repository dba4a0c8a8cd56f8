import { describe, expect, test, vi } from 'vitest'
import { breakCore, type CoreFaults } from '../simulation/breakable.ts'
import { type Acts, type Triple, tripleOf } from '../simulation/merge-triples.ts'
import { verdictOf } from '../simulation/merge-verdict.ts'
import type { Vocabulary } from '../simulation/random-edits.ts'
import { runVerdictOf } from '../simulation/run-verdict.ts'
import { mergeWordByWord } from '../simulation/word-by-word.ts'
import { NONE } from './align.ts'
import { merge3 } from './merge3.ts'

vi.mock('./mend.ts', (original) => withFaults(original))
vi.mock('./merge3.ts', (original) => withFaults(original))
vi.mock('./moves.ts', (original) => withFaults(original))
vi.mock('./runs.ts', (original) => withFaults(original))
vi.mock('./tokens.ts', (original) => withFaults(original))

/** Nothing is replaced but by the fault that a test names; without one this is the merge as it is. */
async function withFaults(original: () => Promise<object>): Promise<object> {
  const { breakable } = await import('../simulation/breakable.ts')
  return breakable(await original())
}

type Sign = 'lost' | 'doubledRuns' | 'glued'
type World = { vocabulary: Vocabulary; acts: Acts }
/** `seed`: where to begin the search; `sign`: how the fault shows. */
type Fault = { name: string; core: CoreFaults; seed: number; sign: Sign; world: World }

/** Every word of the text is its own, and nothing moves. */
const TIDY: World = { vocabulary: 'unique', acts: 'typing' }

const faults: Fault[] = [
  {
    name: 'leaves blocks where one writer moved them',
    seed: 378,
    sign: 'doubledRuns',
    world: { vocabulary: 'everyday', acts: 'all' },
    core: {
      withoutMoves: () => (_, side) => ({
        ...side,
        origins: side.leaves.map(() => NONE),
        moves: [],
        hasWordsOf: () => false,
      }),
    },
  },
  {
    name: 'leaves out a run whose words are among those of the other',
    seed: 0,
    sign: 'lost',
    world: { vocabulary: 'everyday', acts: 'typing' },
    core: {
      contains: () => (all, some) => {
        const words = all.map(({ text }) => text)
        return some.every(({ text }) => words.includes(text))
      },
    },
  },
  {
    name: 'lets every word into the line before it',
    seed: 391,
    sign: 'glued',
    world: { vocabulary: 'unique', acts: 'all' },
    core: {
      tokensOf: (original) => (leaves) => {
        const tokens = original(leaves)
        const homes = tokens[0]?.homes ?? []
        return tokens.map((token) => ({ ...token, homes }))
      },
    },
  },
]

const FOUND_WITHIN = 1_000
const TIDY_TRIPLES = 300

describe('generated documents of recurring words and moved blocks detect a merge that', {
  tags: ['@SY-11'],
}, () => {
  test.for(faults)('$name', ({ core, seed, sign, world }) => {
    const tripleAt = (at: number) => tripleOf(at, world.vocabulary, world.acts)
    breakCore(core)
    let found = seed
    while (found < FOUND_WITHIN && !signsOf(tripleAt(found)).includes(sign)) found += 1
    breakCore({})
    expect(found, 'no triple shows it').toBeLessThan(FOUND_WITHIN)
    expect(signsOf(tripleAt(found)), 'the merge without the fault fails too').not.toContain(sign)
  })

  test.for(faults)(
    `$name, where ${TIDY_TRIPLES} triples of unique words without moves do not`,
    ({ core, sign }) => {
      breakCore(core)
      for (let seed = 0; seed < TIDY_TRIPLES; seed += 1) {
        expect(signsOf(tripleOf(seed, TIDY.vocabulary, TIDY.acts))).not.toContain(sign)
      }
      breakCore({})
    },
  )
})

const SENTENCES_FOUND_WITHIN = 20

test(`runs of sentences show within ${SENTENCES_FOUND_WITHIN} triples a merge that unites two runs word by word, of which no count of words does`, {
  tags: ['@SY-11'],
}, () => {
  const tripleAt = (at: number) => tripleOf(at, 'everyday', 'sentences')
  breakCore({ merge3: () => mergeWordByWord })
  let found = 0
  while (found < SENTENCES_FOUND_WITHIN && !isTorn(tripleAt(found))) found += 1
  const signs = signsOf(tripleAt(found))
  breakCore({})
  expect(found, 'no triple shows it').toBeLessThan(SENTENCES_FOUND_WITHIN)
  expect(signs).not.toContain('lost')
  expect(isTorn(tripleAt(found)), 'the merge without the fault fails too').toBe(false)
})

function isTorn(triple: Triple): boolean {
  const merged = merge3(triple.base, triple.mine, triple.theirs)
  return runVerdictOf(triple, merged).torn.length > 0
}

/** All that is wrong with a merge of these. */
function signsOf(triple: Triple): Sign[] {
  const { base, mine, theirs } = triple
  const merged = merge3(base, mine, theirs)
  const verdict = verdictOf(triple, merged)
  return (['lost', 'doubledRuns', 'glued'] as const).filter((sign) => verdict[sign].length)
}
