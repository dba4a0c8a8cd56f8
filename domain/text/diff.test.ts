import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { type Difference, diff } from './diff.ts'
import { diffWords } from './word-diff.ts'

const letters = (text: string): string[] => [...text]

/** `a[b>c]d`: b was replaced by c. */
function shown(before: string[], after: string[], compare = diff): string {
  let text = ''
  let at = 0
  for (const { from, to, newFrom, newTo } of compare(before, after)) {
    const [old, fresh] = [before.slice(from, to), after.slice(newFrom, newTo)]
    text += `${before.slice(at, from).join('')}[${old.join('')}>${fresh.join('')}]`
    at = to
  }
  return text + before.slice(at).join('')
}

const CASES: [before: string, after: string, expected: string][] = [
  ['', '', ''],
  ['abc', 'abc', 'abc'],
  ['', 'abc', '[>abc]'],
  ['abc', '', '[abc>]'],
  ['abc', 'xyz', '[abc>xyz]'],
  ['ac', 'abc', 'a[>b]c'],
  ['abc', 'ac', 'a[b>]c'],
  ['abcd', 'axcy', 'a[b>x]c[d>y]'],
  ['aaa', 'aaaa', 'aaa[>a]'],
  ['abcabba', 'cbabac', '[ab>]c[a>]b[>a]ba[>c]'],
]

describe('diff', () => {
  test.each(CASES)('%j to %j is %j', (before, after, expected) => {
    expect(shown(letters(before), letters(after))).toBe(expected)
  })

  test('any two sequences: what is left out is equal, and no fewer differences are possible', () => {
    const random = randomFrom(7)
    for (let run = 0; run < randomRuns(3_000); run += 1) {
      const letter = () => 'abcde'.charAt(random(1 + (run % 5)))
      const before = Array.from({ length: random(14) }, letter)
      const after = Array.from({ length: random(14) }, letter)
      const found = diff(before, after)
      expect(applied(before, after, found)).toEqual(after)
      expect(sizeOf(found)).toBe(before.length + after.length - 2 * common(before, after))
    }
  })

  test('a paragraph of 20,000 words, rewritten with the same words, is compared correctly within the limit', {
    tags: ['@fault-53'],
    timeout: 30_000,
  }, () => {
    const random = randomFrom(11)
    const before = Array.from({ length: 40_000 }, () => String(random(3_000)))
    const after = Array.from({ length: 40_000 }, () => String(random(3_000)))
    expect(applied(before, after, diff(before, after))).toEqual(after)
  })

  test('words that the other side does not have cost nothing', { tags: ['@fault-53'] }, () => {
    const before = Array.from({ length: 40_000 }, (_, index) => `old ${index}`)
    const after = Array.from({ length: 40_000 }, (_, index) => `new ${index}`)
    expect(diff(before, after)).toEqual([{ from: 0, to: 40_000, newFrom: 0, newTo: 40_000 }])
  })
})

/** `before` with the differences applied, after a check that everything else is equal. */
function applied(before: string[], after: string[], differences: Difference[]): string[] {
  const result: string[] = []
  let at = 0
  for (const { from, to, newFrom, newTo } of differences) {
    result.push(...before.slice(at, from))
    if (result.length !== newFrom) throw new Error(`${result.length} is not ${newFrom}`)
    result.push(...after.slice(newFrom, newTo))
    at = to
  }
  return [...result, ...before.slice(at)]
}

const sizeOf = (differences: Difference[]): number =>
  differences.reduce((sum, { from, to, newFrom, newTo }) => sum + to - from + newTo - newFrom, 0)

/** Length of the longest common subsequence, from the definition. */
function common(a: string[], b: string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const item of a) {
    const next = [0]
    for (const [at, other] of b.entries()) {
      next.push(item === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Numbers from 0 to below `limit`, the same for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

const words = (text: string): string[] => text.match(/\w+|\s|[^\w\s]/g) ?? []

describe('the words of a text', () => {
  test.each([
    ['It was wet.', 'It was hot. It was wet.', '[>It was hot. ]It was wet.'],
    [
      'We sat. It was wet.',
      'We sat. It was hot. It was wet.',
      'We sat.[> It was hot.] It was wet.',
    ],
    [
      'We sat. It was wet.',
      'We sat. It was wet. It was hot.',
      'We sat. It was wet.[> It was hot.]',
    ],
    ['We sat. The so', 'We sat. The first The so', 'We sat.[> The first] The so'],
    ['It is so. It is not so.', 'It is so.', 'It is so.[ It is not so.>]'],
    ['It is not so. It is so.', 'It is so.', '[It is not so. >]It is so.'],
    ['a b c', 'a x b y c', 'a [>x ]b[> y] c'],
    ['One. Two. Three.', 'One. So. Two. So. Three.', 'One.[> So.] Two.[> So.] Three.'],
    ['We sat here.', 'We slept there.', 'We [sat>slept] [here>there].'],
  ])('%j to %j is %j', (before, after, expected) => {
    expect(shown(words(before), words(after), diffWords)).toBe(expected)
  })

  test('any two texts: what is left out is equal, and differences neither touch nor grow', () => {
    const random = randomFrom(13)
    for (let run = 0; run < randomRuns(3_000); run += 1) {
      const word = () => ['a', 'b', 'c', ' ', '.'][random(1 + (run % 5))] ?? 'a'
      const before = Array.from({ length: random(14) }, word)
      const after = Array.from({ length: random(14) }, word)
      const found = diffWords(before, after)
      expect(applied(before, after, found)).toEqual(after)
      expect(sizeOf(found)).toBe(sizeOf(diff(before, after)))
      for (const [index, { from }] of found.entries())
        expect(from).toBeGreaterThan(found[index - 1]?.to ?? -1)
    }
  })
})
