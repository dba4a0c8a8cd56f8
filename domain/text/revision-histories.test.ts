import { describe, expect, it } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { type Random, randomOf } from '../testing/random-prose.ts'
import { changed, type Paragraphs, phrase, plain } from '../testing/random-text.ts'
import {
  prunedVersions,
  pruningGroups,
  type RevisionMark,
  type RevisionText,
  slotStart,
} from './revision-pruning.ts'

/** Random histories of an article, with rounds of pruning in between, under irregular users, clocks and servers. */

const HISTORIES = runCount('PRUNING_HISTORIES')
/** Of two hours each. */
const SITTINGS = runCount('WRITING_SITTINGS')
const FIRST_SEED = Number(process.env.PRUNING_SEED ?? 1)

const SECOND = 1_000
const MINUTE = 60 * SECOND
const NINE = Date.parse('2026-03-02T09:00:00.000Z')
const RUN = 8

type Saved = RevisionMark & { text: string }

const wordsOf = (text: string) => text.match(/\S+/g) ?? []

/** How long until the next save. */
function pauseOf({ below }: Random): number {
  const kind = below(100)
  if (kind < 62) return SECOND * (1 + below(10))
  if (kind < 82) return SECOND * (10 + below(50))
  if (kind < 93) return MINUTE * (1 + below(4))
  return kind < 98 ? MINUTE * (5 + below(12)) : MINUTE * 60 * (1 + below(8))
}

type Prune = (group: readonly RevisionText[]) => number[]

/** An article whose server prunes now and then, by `prune`. */
function createArticle(prune: Prune) {
  let stored: Saved[] = []
  let done = ''
  const all: Saved[] = []
  const handedIn = new Set<number>()
  return {
    all,
    handedIn,
    stored: () => stored,
    save(mark: Omit<Saved, 'textVersion' | 'words'>) {
      const textVersion = all.length + 1
      const words = wordsOf(mark.text).length
      all.push({ ...mark, textVersion, words })
      stored.push({ ...mark, textVersion, words })
    },
    /** `from` and `to` as after a restart, or with a clock that is ahead. */
    round(now: number, { from = done, to = slotStart(now) } = {}) {
      for (const { before, candidates, last } of pruningGroups(stored, handedIn, { from, to })) {
        const texts = [before, ...candidates, last].map((version): RevisionText => {
          const found = stored.find(({ textVersion }) => textVersion === version)
          if (!found) throw new Error(`There is no version ${version}`)
          return { textVersion: version, at: Date.parse(found.createdAt), text: found.text }
        })
        const pruned = new Set(prune(texts))
        stored = stored.filter(({ textVersion }) => !pruned.has(textVersion))
      }
      done = slotStart(now)
    },
  }
}

type Article = ReturnType<typeof createArticle>

/** One history: which author saved what and when, and when it was handed in. */
function live(seed: number, prune: Prune): Article {
  const random = randomOf(seed)
  const { below, pick } = random
  const article = createArticle(prune)
  let now = NINE + below(60) * MINUTE
  let author = 'ida'
  let text: Paragraphs = below(3) === 0 ? [[]] : [phrase(random, 20), phrase(random, 30)]
  const texts: Paragraphs[] = [text]
  const save = (reason: string, by: string | null = author) => {
    const base = reason === 'plain' ? null : article.all.length
    const createdAt = new Date(now).toISOString()
    article.save({ baseTextVersion: base, authorId: by, reason, createdAt, text: plain(text) })
  }
  save('created', null)
  for (let steps = 20 + below(90); steps > 0; steps -= 1) {
    now += pauseOf(random)
    if (below(8) === 0) article.round(now)
    if (below(40) === 0)
      article.round(now, pick([{ from: '' }, { to: '9' }, { from: '', to: '9' }]))
    const what = below(100)
    if (what < 3) author = pick(['ida', 'emil', 'ines'])
    const before = plain(text)
    // Undo: one of the last texts again.
    if (what >= 92) text = texts.at(-1 - below(Math.min(6, texts.length))) ?? text
    else text = changed(text, random)
    texts.push(text)
    if (plain(text) === before) continue
    if (what === 90) save('plain', pick(['emil', null]))
    else if (what === 91) save('restore')
    else save(what === 89 ? 'merge' : 'autosave')
    if (below(25) === 0) article.handedIn.add(article.all.length)
  }
  article.round(now + 60 * MINUTE)
  return article
}

/** Every run of eight words of a text; the whole text when it has fewer. */
function runsOf(text: string): string[] {
  const words = wordsOf(text)
  if (words.length === 0) return []
  return Array.from({ length: Math.max(1, words.length - RUN + 1) }, (_, start) =>
    words.slice(start, start + RUN).join(' '),
  )
}

/** The runs that were in the article's text for at least a minute without interruption. */
function settledRuns(all: readonly Saved[]): Set<string> {
  const settled = new Set<string>()
  let standing = new Map<string, number>()
  for (const { text, createdAt } of all) {
    const now = Date.parse(createdAt)
    const there = new Map(runsOf(text).map((run) => [run, standing.get(run) ?? now]))
    for (const [run, since] of standing) {
      if (!there.has(run) && now - since >= MINUTE) settled.add(run)
    }
    standing = there
  }
  for (const run of standing.keys()) settled.add(run)
  return settled
}

/** Runs that a kept version must contain and none does. */
function missing({ all, handedIn, stored }: Article, settled = settledRuns(all)): string[] {
  const kept = stored()
  const texts = kept.map(({ text }) => ` ${wordsOf(text).join(' ')} `)
  const runs = new Set(kept.flatMap(({ text }) => runsOf(text)))
  const isKept = (run: string) => runs.has(run) || texts.some((text) => text.includes(` ${run} `))
  const versions = new Set(kept.map(({ textVersion }) => textVersion))
  const mustStay = all.filter(
    ({ textVersion, reason, words }, index) =>
      handedIn.has(textVersion) ||
      reason !== 'autosave' ||
      words - (all[index + 1]?.words ?? 0) >= 10,
  )
  return [
    ...[...settled].filter((run) => !isKept(run)),
    ...mustStay.flatMap(({ textVersion }) =>
      versions.has(textVersion) ? [] : [`version ${textVersion}`],
    ),
  ]
}

/**
 * Two hours of ordinary writing: sentences with typing errors that are corrected at once, pauses, rewording of the last
 * sentence, and now and then of an earlier word or sentence. Saved a second after a pause and every ten seconds.
 */
function writeForTwoHours(seed: number): Article {
  const random = randomOf(seed)
  const { below } = random
  const article = createArticle(prunedVersions)
  const words: string[] = []
  let [now, unsavedSince] = [NINE + below(600) * SECOND, 0]
  const end = now + 120 * MINUTE
  const save = (reason: string) => {
    const text = words.join(' ')
    unsavedSince = 0
    if (article.all.at(-1)?.text === text) return
    const baseTextVersion = article.all.length
    const createdAt = new Date(now).toISOString()
    article.save({ baseTextVersion, authorId: 'ida', reason, createdAt, text })
  }
  const spend = (ms: number) => {
    now += ms
    unsavedSince ||= now
    if (now - unsavedSince >= 10 * SECOND) save('autosave')
  }
  const pause = (ms: number) => {
    now += SECOND
    save('autosave')
    now += ms
  }
  const type = (word: string) => {
    if (below(16) === 0) {
      words.push(`${word}x`)
      spend(900)
      words.pop()
    }
    words.push(word.slice(0, Math.ceil(word.length / 2)))
    spend(700)
    words[words.length - 1] = word
    spend(800)
    if (below(12) === 0) pause(below(5) * SECOND)
  }
  save('created')
  while (now < end) {
    const sentence = phrase(random, 8 + below(15))
    for (const word of sentence) type(word)
    pause((1 + below(13)) * SECOND)
    const what = below(100)
    const place = below(words.length)
    if (what < 15) words.splice(-1 - below(sentence.length), 1, ...phrase(random, 1))
    else if (what < 23) words.splice(place, below(3), ...phrase(random, 1 + below(2)))
    else if (what < 25) words.splice(place, 8 + below(15))
    else continue
    spend(3 * SECOND)
    pause((below(10) === 0 ? 60 : 3) * SECOND)
  }
  article.round(end + 10 * MINUTE)
  return article
}

describe('over random histories', () => {
  const timeout = 60_000 + HISTORIES * 100
  it('every run of eight words that existed for a minute is in a kept version', {
    tags: ['@fault-69'],
    timeout,
  }, () => {
    let [saves, kept, runs] = [0, 0, 0]
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      const article = live(seed, prunedVersions)
      const settled = settledRuns(article.all)
      expect(missing(article, settled), `seed ${seed}`).toEqual([])
      saves += article.all.length
      kept += article.stored().length
      runs += settled.size
    }
    const last = FIRST_SEED + HISTORIES - 1
    process.stdout.write(
      `seeds ${FIRST_SEED} to ${last}: ${runs} runs of ${saves} saves are in ${kept} kept versions\n`,
    )
    expect(kept).toBeLessThan(saves * 0.9)
  })

  it('two hours of ordinary writing leave about 20 versions', {
    timeout: SITTINGS * 60_000,
  }, () => {
    const sittings = Array.from({ length: SITTINGS }, (_, seed) => writeForTwoHours(seed))
    const mean = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length
    const saves = mean(sittings.map(({ all }) => all.length))
    const kept = mean(sittings.map(({ stored }) => stored().length))
    process.stdout.write(`two hours of writing: ${kept} versions kept of ${saves} saves\n`)
    expect(saves).toBeGreaterThan(500)
    expect(kept).toBeLessThan(22)
    expect(sittings.slice(0, 2).flatMap((sitting) => missing(sitting))).toEqual([])
  })

  it.each<[string, Prune]>([
    [
      'keeps the last of ten minutes alone',
      (group) => group.slice(1, -1).map(({ textVersion }) => textVersion),
    ],
    [
      'has no regard to how long words were there',
      (group) => prunedVersions(group.map((one) => ({ ...one, at: 0 }))),
    ],
    [
      'compares each version with the next one, kept or not',
      (group) =>
        group.slice(1, -1).flatMap((one, index) => {
          const [first, next] = [group[0], group[index + 2]]
          return first && next ? prunedVersions([first, one, next]) : []
        }),
    ],
  ])('a rule that %s is found', (_, prune) => {
    const seeds = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(seeds.some((seed) => missing(live(seed, prune)).length > 0)).toBe(true)
  })
})
