/** What a schedule knows of one typed word. Every word is typed once, so presence can be checked by name. */
export type Word = {
  name: string
  articleId: string
  /** The user at that device. */
  profile: string
  personId: string
  tab: string
  typedAt: number
  /**
   * `unfinished`: letters of it are still to come, so it may be no whole word yet. `fresh`: only in memory as far as is
   * known. `durable`: this device has promised to keep it. `deleted`: a writer removed it, or it died with its page
   * before the promise. Neither its presence nor its absence is a fault then.
   */
  state: 'unfinished' | 'fresh' | 'durable' | 'deleted'
  /** How many of its letters are in the text. */
  letters: number
  /** The word whose address this one names; it goes with that word. */
  of?: string
}

/** Longest time that a living page may keep a typed word in memory alone, with the writing itself. */
const DURABLE_WITHIN_MS = 250

/** The beginning of a word that occurs once, which may be longer by now; null for any other word. */
export const nameIn = (word: string): string | null => /^w\d+/.exec(word)?.[0] ?? null

export type Words = ReturnType<typeof createWords>

export function createWords() {
  const all = new Map<string, Word>()
  const freshOf = (tab: string) =>
    [...all.values()].filter((word) => word.tab === tab && word.state === 'fresh')

  /** The word that these letters are the beginning of. */
  const wordOf = (letters: string) =>
    letters.includes('-')
      ? [...all.values()].find(({ name }) => name.startsWith(letters))
      : undefined

  return {
    typed(word: Omit<Word, 'state' | 'letters'>, letters = word.name.length): void {
      const state = letters < word.name.length ? 'unfinished' : 'fresh'
      all.set(word.name, { ...word, letters, state })
    },
    /** What this computer has begun there. */
    unfinished: (articleId: string, profile: string): Word[] =>
      [...all.values()].filter(
        (word) =>
          word.state === 'unfinished' && word.articleId === articleId && word.profile === profile,
      ),
    /** The page has been running since `awakeSince`. */
    age(tab: string, awakeSince: number, now: number): void {
      for (const word of freshOf(tab)) {
        if (now - Math.max(word.typedAt, awakeSince) > DURABLE_WITHIN_MS) word.state = 'durable'
      }
    },
    /** The page reported that everything typed until `at` is written. */
    written(tab: string, at: number): void {
      for (const word of freshOf(tab)) if (word.typedAt <= at) word.state = 'durable'
    },
    /** Words in the memory of the page alone, as far as is known. */
    fresh: freshOf,
    /** The page is gone with whatever it had in memory alone. */
    pageGone(tab: string): void {
      for (const word of freshOf(tab)) word.state = 'deleted'
    },
    deleted(names: readonly string[]): void {
      for (const name of names) {
        const word = all.get(name) ?? wordOf(name)
        if (word) word.state = 'deleted'
      }
    },
    durable: (articleId: string): Word[] =>
      [...all.values()].filter((word) => word.articleId === articleId && word.state === 'durable'),
    isDurable: (name: string): boolean => all.get(name)?.state === 'durable',
    of: (articleId: string): Word[] =>
      [...all.values()].filter((word) => word.articleId === articleId),
    /** An address may go with its word. */
    isGone: ({ of }: Word): boolean => of !== undefined && all.get(of)?.state !== 'durable',
    isAnyDeleted: (articleId: string): boolean =>
      [...all.values()].some((word) => word.articleId === articleId && word.state === 'deleted'),
    isWanted: (name: string): boolean => (all.get(name)?.state ?? 'deleted') !== 'deleted',
    count: () => all.size,
  }
}
