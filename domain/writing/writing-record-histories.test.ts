import { describe, expect, it } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { type Random, randomOf } from '../testing/random-prose.ts'
import { changed, type Paragraphs, phrase, plain } from '../testing/random-text.ts'
import { wordChange } from '../text/changed-words.ts'
import { createReader } from '../text/numbered-text.ts'
import { prunedVersions, pruningGroups, type RevisionMark } from '../text/revision-pruning.ts'
import { createOrigins } from './origins.ts'
import { sittingsOf } from './sittings.ts'
import { wordsOfLine } from './words-of-line.ts'
import { createWritingRecord, type KeptVersion } from './writing-record.ts'

/** Random histories of a text: typing, pastes, moves, merges of two writers, restored versions, and pruning. */

const HISTORIES = runCount('WRITING_RECORDS')
const FIRST_SEED = Number(process.env.WRITING_SEED ?? 1)

const MINUTE = 60_000
const NINE = Date.parse('2026-03-02T09:00:00.000Z')

type Saved = RevisionMark & { at: number; text: string }

/** Words that are used once, as names are, or everyday words. */
function vocabularyOf(seed: number): typeof phrase {
  let used = 0
  const next = () => {
    used += 1
    return `w${used}`
  }
  return seed % 2 === 0 ? phrase : (_, count) => Array.from({ length: count }, next)
}

/** As `mine`, with the paragraphs that the other writer added to the text that both had. */
function merged(base: Paragraphs, mine: Paragraphs, others: Paragraphs, { below }: Random) {
  const known = new Set([...base, ...mine].map((words) => words.join(' ')))
  const added = others.filter((words) => !known.has(words.join(' ')))
  return mine.toSpliced(below(mine.length + 1), 0, ...added)
}

/** All versions that were saved. */
function live(seed: number): Saved[] {
  const random = randomOf(seed)
  const { below, pick } = random
  const write = vocabularyOf(seed)
  const saved: Saved[] = []
  let now = NINE
  let text: Paragraphs = [write(random, 20), write(random, 30)]
  const texts = [text]
  const save = (reason: string, authorId: string, next: Paragraphs) => {
    text = next
    texts.push(text)
    const textVersion = saved.length + 1
    const mark = { textVersion, baseTextVersion: saved.length || null, authorId, reason }
    const createdAt = new Date(now).toISOString()
    const words = plain(text).match(/\S+/g)?.length ?? 0
    saved.push({ ...mark, words, createdAt, at: now, text: plain(text) })
  }
  save('created', 'clara', text)
  for (let steps = 10 + below(50); steps > 0; steps -= 1) {
    now += below(5) === 0 ? MINUTE * (20 + below(60)) : 5_000 + below(3 * MINUTE)
    const base = text
    const kind = below(100)
    if (kind < 75) save('autosave', 'ida', changed(base, random, write))
    else if (kind < 80) save('restore', 'ida', pick(texts))
    else if (kind < 85) save('autosave', 'ida', [...base, write(random, 40 + below(80))])
    else {
      const [mine, others] = [changed(base, random, write), changed(base, random, write)]
      if (below(2) === 0) save('autosave', 'emil', others)
      save('merge', 'ida', merged(base, mine, others, random))
    }
  }
  return saved
}

/** What the server keeps. */
function pruned(saved: Saved[]): Saved[] {
  const groups = pruningGroups(saved, new Set(), { from: '', to: '9' })
  const gone = new Set(
    groups.flatMap(({ before, candidates, last }) => {
      const of = new Set([before, ...candidates, last])
      return prunedVersions(saved.filter(({ textVersion }) => of.has(textVersion)))
    }),
  )
  return saved.filter(({ textVersion }) => !gone.has(textVersion))
}

const wordsIn = (text: string): string[] => text.split('\n').flatMap(wordsOfLine)
const runsIn = (words: readonly string[]): string[] =>
  words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`)

/** The sitting of each word of the last version. */
type Trace = (versions: Saved[], sittingOf: (version: Saved) => number) => readonly number[]

const byOrigins: Trace = (versions, sittingOf) => {
  const read = createReader(wordsOfLine)
  const origins = createOrigins()
  for (const version of versions) origins.take(read(version.text), sittingOf(version))
  return [...origins.current()]
}

/** What is wrong with the sittings that a trace gives to the words of the last version. */
function faults(versions: Saved[], trace: Trace): string[] {
  const sittings = new Map(
    sittingsOf(versions).flatMap((sitting, index) => sitting.map((version) => [version, index])),
  )
  const sittingOf = (version: Saved) => sittings.get(version) ?? 0
  const [firstOfWord, firstOfRun] = [new Map<string, number>(), new Map<string, number>()]
  const common = new Set<string>()
  for (const version of versions) {
    const words = wordsIn(version.text)
    const seen = new Set<string>()
    for (const word of words) {
      if (seen.has(word)) common.add(word)
      seen.add(word)
      if (!firstOfWord.has(word)) firstOfWord.set(word, sittingOf(version))
    }
    for (const run of runsIn(words)) {
      if (!firstOfRun.has(run)) firstOfRun.set(run, sittingOf(version))
    }
  }
  const final = wordsIn(versions.at(-1)?.text ?? '')
  const runs = runsIn(final)
  const traced = trace(versions, sittingOf)
  return final.flatMap((word, place) => {
    const sitting = traced[place] ?? Number.NaN
    const first = firstOfWord.get(word) ?? 0
    const ofRuns = runs.slice(Math.max(0, place - 2), place + 1)
    const latest = Math.min(...ofRuns.map((run) => firstOfRun.get(run) ?? 0))
    if (sitting < first) return [`${word}: ${sitting}, before it was there`]
    if (sitting > latest) return [`${word}: ${sitting}, its passage was there in ${latest}`]
    if (!common.has(word) && sitting !== first) return [`${word}: ${sitting}, not ${first}`]
    return Number.isNaN(sitting) ? [`${word} has no sitting`] : []
  })
}

function recordOf(versions: Saved[]) {
  const record = createWritingRecord()
  for (const { authorId, at, textVersion, words, text } of versions) {
    const version: KeptVersion = { at, textVersion, author: authorId, handIn: null, words, text }
    record.take(version)
  }
  return record.finish()
}

describe('over random histories', () => {
  it('shares sum to 100 %, no word is new that was there before, and pruned sittings are marked', {
    tags: ['@HI-01'],
    timeout: 60_000 + HISTORIES * 100,
  }, () => {
    const seeds = Array.from({ length: HISTORIES }, (_, index) => FIRST_SEED + index)
    let [saves, keeps, marked] = [0, 0, 0]
    for (const seed of seeds) {
      const saved = live(seed)
      const kept = pruned(saved)
      for (const versions of [saved, kept]) {
        expect(faults(versions, byOrigins), `seed ${seed}`).toEqual([])
        const { sittings, versions: counted } = recordOf(versions)
        const shares = sittings.flatMap(({ share }) => share?.percent ?? [])
        const sum = shares.reduce((total, percent) => total + percent, 0)
        const last = versions.at(-1)?.text ?? ''
        expect(sum, `seed ${seed}`).toBe(wordsIn(last).length === 0 ? 0 : 100)
        expect(counted).toBe(versions.length)
        const isComplete = versions.length === saved.length
        expect(
          sittings.every(({ isPruned }) => !isPruned),
          `seed ${seed}`,
        ).toBe(isComplete)
        marked += sittings.filter(({ isPruned }) => isPruned).length
      }
      const changes = saved.map(({ text }, index) => wordChange(saved[index - 1]?.text ?? '', text))
      const total = (list: { added: number }[]) => list.reduce((sum, { added }) => sum + added, 0)
      expect(total(recordOf(kept).sittings), `seed ${seed}`).toBeLessThanOrEqual(total(changes))
      saves += saved.length
      keeps += kept.length
    }
    process.stdout.write(
      `${HISTORIES} histories from seed ${FIRST_SEED}: ${saves} versions, ${keeps} after pruning, ${marked} sittings of at least\n`,
    )
  })

  it.each<[string, Trace]>([
    [
      'counts moved words as new',
      (versions, sittingOf) => {
        const before = new Set(wordsIn(versions.at(-2)?.text ?? ''))
        const last = versions.at(-1)
        return wordsIn(last?.text ?? '').map((word) =>
          last && !before.has(word) ? sittingOf(last) : 0,
        )
      },
    ],
    [
      'knows no passage that was gone for a while',
      (versions, sittingOf) => byOrigins(versions.slice(-2), sittingOf),
    ],
  ])('a record that %s is found', (_, trace) => {
    const seeds = Array.from({ length: 50 }, (_each, index) => index + 1)
    expect(seeds.some((seed) => faults(live(seed), trace).length > 0)).toBe(true)
  })
})
