import { describe, expect, test } from 'vitest'
import { plainText } from '../../domain/article-text.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { type ArticleDocument, readDocument } from '../../domain/document.ts'
import { type Triple, tripleOf } from '../simulation/merge-triples.ts'
import { merge3 } from './merge3.ts'

/**
 * Two writers go on with the same text at random. Every word is typed once, so what must be in the result, and
 * how often, is known without trusting the merge. MERGE_TRIPLES=1000000 is the long run.
 */
const TRIPLES = Number(process.env.MERGE_TRIPLES ?? 20_000)
const FIRST_SEED = Number(process.env.MERGE_SEED ?? 0)
const LONG_RUN_MS = 60 * 60_000

const seeds = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => FIRST_SEED + index)

const wordsOf = (document: ArticleDocument): string[] =>
  plainText(document).split(/\s+/).filter(Boolean)

/** Words that a side added, and words of the base that both kept. */
function owedBy({ base, mine, theirs }: Triple): string[] {
  const [known, left, right] = [base, mine, theirs].map((text) => new Set(wordsOf(text)))
  const isOwed = (word: string): boolean =>
    !known?.has(word) || (left?.has(word) === true && right?.has(word) === true)
  return [...new Set([...(left ?? []), ...(right ?? [])])].filter(isOwed)
}

describe(`SY-11 faults 22 and 23: ${TRIPLES} random triples`, () => {
  test(
    'lose no word that a side added, none that both kept, double hardly any, and stay valid',
    () => {
      const found = { lost: [] as string[], invalid: [] as string[], invented: [] as string[] }
      let [words, doubled] = [0, 0]
      for (const seed of seeds(TRIPLES)) {
        const triple = tripleOf(seed)
        const { document } = merge3(triple.base, triple.mine, triple.theirs)
        const merged = wordsOf(document)
        const present = new Set(merged)
        const owed = owedBy(triple)
        for (const word of owed) if (!present.has(word)) found.lost.push(`${word} of seed ${seed}`)
        const known = new Set([...owed, ...wordsOf(triple.base)])
        for (const word of present) if (!known.has(word)) found.invented.push(`${word} of ${seed}`)
        const reading = readDocument(document)
        if (!reading.ok) found.invalid.push(`seed ${seed}: ${reading.fault}`)
        words += merged.length
        doubled += merged.length - present.size
      }
      expect(found).toEqual({ lost: [], invalid: [], invented: [] })
      expect(doubled / words).toBeLessThanOrEqual(0.0002)
    },
    LONG_RUN_MS,
  )

  test('come out the same each time, and what was handed in is as it was', () => {
    for (const seed of seeds(500)) {
      const { base, mine, theirs } = tripleOf(seed)
      const before = canonicalJson([base, mine, theirs])
      const merged = canonicalJson(merge3(base, mine, theirs))
      expect(canonicalJson([base, mine, theirs])).toBe(before)
      const again = JSON.parse(before) as [ArticleDocument, ArticleDocument, ArticleDocument]
      expect(canonicalJson(merge3(...again))).toBe(merged)
    }
  })

  test('merge with one unchanged side to the other, and merged again to the same', () => {
    for (const seed of seeds(500)) {
      const { base, mine, theirs } = tripleOf(seed)
      const { document } = merge3(base, mine, theirs)
      const same = (text: ArticleDocument) => canonicalJson({ document: text, conflict: false })
      expect(canonicalJson(merge3(base, base, theirs))).toBe(same(theirs))
      expect(canonicalJson(merge3(base, mine, base))).toBe(same(mine))
      expect(canonicalJson(merge3(base, mine, mine))).toBe(same(mine))
      expect(canonicalJson(merge3(theirs, document, theirs))).toBe(same(document))
      expect(canonicalJson(merge3(base, document, document))).toBe(same(document))
    }
  })
})
