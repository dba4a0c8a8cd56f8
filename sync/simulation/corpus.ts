/** A schedule that once failed, what it found, and whether it meets the troubles, varieties and restores of their files. */
export type Found = {
  seed: number
  fault: string
  hasSentences?: true
  hasTroubles?: true
  hasVariety?: true
  hasRestores?: true
  hasMiddlebox?: true
  hasEverydayProse?: true
}

const everything = {
  hasTroubles: true,
  hasVariety: true,
  hasRestores: true,
  hasMiddlebox: true,
  hasEverydayProse: true,
} as const

/**
 * Schedules that found a fault. They run first. A seed represents its schedule only as long as schedules are drawn in
 * the same way: after a change of that, search again with the fault put back. A fault that can be put back in one place
 * is better kept in breakages.ts, which searches automatically.
 */
export const corpus: readonly Found[] = [
  {
    seed: 104,
    fault: 'words typed while their article was let go of stayed held after its return',
  },
  {
    seed: 2_301,
    fault:
      'the list came back as it was before the access went, and released nothing held meanwhile',
  },
  { seed: 327, fault: 'a schedule that failed before faults were written down here' },
  {
    seed: 100_446,
    fault: 'a text that was refused with the session was never asked for again',
  },
  {
    seed: 39,
    hasTroubles: true,
    fault: 'a page whose first transaction failed while its database opened never wrote again',
  },
  {
    seed: 343,
    hasTroubles: true,
    fault: 'a refusal of words in memory that came after they were written doubled a paragraph',
  },
  {
    seed: 536,
    hasTroubles: true,
    fault:
      'a text merged past the queue was never written, and its page followed no other any more',
  },
  {
    seed: 1_654,
    hasTroubles: true,
    fault: 'words in memory were sent again before the server wanted them',
  },
  {
    seed: 23,
    fault: 'what a leaving page had sent was merged once more as if it had not arrived',
  },
  {
    seed: 217,
    hasTroubles: true,
    fault: 'a completion could not be taken back through a lost connection to the database',
  },
  {
    seed: 10_097,
    fault: 'what a leaving page had sent got another key when the next page was typed in first',
  },
  ...[3_019, 5_540, 53_125].map((seed) => ({
    seed,
    fault: 'what was sent before the article went was merged once more when it came back',
  })),
  {
    seed: 53_557,
    fault: 'what a leaving page had sent got another key when a page beside it was typed in',
  },
  {
    seed: 64_426,
    fault:
      'what a leaving page had sent was not asked for once it was merged with another page’s words',
  },
  ...[20_742, 21_408].map((seed) => ({
    seed,
    hasTroubles: true as const,
    hasVariety: true as const,
    fault: 'a page that could not read its database heard the news for all others and told nobody',
  })),
  {
    seed: 30_295,
    hasTroubles: true,
    hasVariety: true,
    fault: 'two pages that started at once queued what a leaving page had sent twice',
  },
  {
    seed: 41_718,
    hasTroubles: true,
    hasVariety: true,
    fault:
      'what a page had sent past a change was not asked for once that was refused, and stood twice',
  },
  {
    seed: 42_776,
    hasTroubles: true,
    hasVariety: true,
    fault: 'what a page had sent past held text was not asked for, and stood twice',
  },
  {
    seed: 48_332,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a refused text came a second time, from a frozen tab, and stood twice',
  },
  {
    seed: 54_797,
    hasTroubles: true,
    hasVariety: true,
    fault:
      'a key that a page had sent under was given to a newer text after the page was left again',
  },
  {
    seed: 64_852,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a text whose words were taken back, and sent so, did not follow what others wrote',
  },
  {
    seed: 67_781,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a page that ended took along the words of a closed text that it had in memory alone',
  },
  {
    seed: 91_449,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a page that was hidden kept the last words of its open text, not those of a closed one',
  },
  {
    seed: 110_135,
    fault: 'a tab that had stood still forgot what another one was told to wait for',
  },
  {
    seed: 46_574,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a page that could not read its database heard a greeting and looked for nothing',
  },
  {
    seed: 22_334,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a page went on speaking of words in the memory of another one that had died',
  },
  {
    seed: 712_762,
    hasTroubles: true,
    hasVariety: true,
    fault: 'last words dated in the future, by a clock that was set back, waited until then',
  },
  {
    seed: 806_642,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault: 'words that a restored server had lost were in no text of the computer either',
  },
  {
    seed: 851_284,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault: 'a page that was hidden five times had one text more on its way than was asked for',
  },
  {
    seed: 851_676,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault: 'a text that was refused while its article was listed was never asked for again',
  },
  {
    seed: 1_007_670,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault:
      'a draft whose words were taken back stayed on a text that was older than the newest here',
  },
  {
    seed: 1_006_441,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault:
      'a text learned of by its key took the place of one that only this computer had, since the server was put back',
  },
  {
    seed: 2_243_256,
    fault: 'a text that a closed tab had heard of and not fetched was asked for by no other one',
  },
  ...[295, 1_728].map((seed) => ({
    seed,
    hasTroubles: true as const,
    hasVariety: true as const,
    fault:
      'a page went on in a word that it had sent past an earlier change, and the word stood twice',
  })),
  {
    seed: 23,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    hasMiddlebox: true,
    fault:
      'a save of which a box dropped the condition replaced a text after a restored backup, unseen',
  },
  {
    seed: 182,
    hasVariety: true,
    hasRestores: true,
    hasMiddlebox: true,
    fault:
      'the late answer to an older save made a draft grow from it again, and what came since was deleted',
  },
  ...[801_989, 800_802].map((seed) => ({
    seed,
    hasMiddlebox: true as const,
    hasEverydayProse: true as const,
    fault:
      'a save that the server took after a later one left the draft without a change in the queue, saving for ever',
  })),
  ...[800_580, 801_809].map((seed) => ({
    seed,
    hasMiddlebox: true as const,
    hasEverydayProse: true as const,
    fault:
      'what the save of a leaving page replaced was passed over, once an older save had come after it',
  })),
  {
    seed: 184,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    hasMiddlebox: true,
    fault:
      'what the save of a page replaced before it left was passed over, once the draft had a later base',
  },
  {
    seed: 800_612,
    hasMiddlebox: true,
    hasEverydayProse: true,
    fault:
      'a page that left sent typing that was undone, in the place of a text that it had not seen',
  },
  {
    seed: 800_594,
    hasMiddlebox: true,
    hasEverydayProse: true,
    fault:
      'a completion after a withdrawn one counted as a retry of that one, in the simulator alone',
  },
  {
    seed: 860_194,
    ...everything,
    fault:
      'what a save overwrote was given up where the article was deleted, and restored, before it was read',
  },
  {
    seed: 860_096,
    ...everything,
    fault: 'a repeated save did not say what had become of the keepalive save that overtook it',
  },
  {
    seed: 900_432,
    ...everything,
    fault:
      'a superseded save that came later, with a body that could not be read, was a server error',
  },
  {
    seed: 2_300_859,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault:
      'what a page had saved directly before it was closed was restored as an overwritten text, over a later one',
  },
  {
    seed: 2_307_651,
    hasTroubles: true,
    hasVariety: true,
    hasRestores: true,
    fault: 'a page that thawed after its lock was stolen and given back received two event streams',
  },
  {
    seed: 5_178,
    hasSentences: true,
    fault:
      'a sentence into which its writer put a word later was torn by what another one wrote behind it',
  },
  {
    seed: 5_908,
    hasSentences: true,
    fault: 'a sentence that had its first words twice was there twice',
  },
  {
    seed: 20_689,
    hasSentences: true,
    fault: 'words before and behind the last word of an unfinished sentence tore the rest of it',
  },
  {
    seed: 330_111,
    hasSentences: true,
    fault:
      'a run that ended with the first words of the next sentence was taken for two, and another run came between',
  },
  {
    seed: 310_253,
    hasSentences: true,
    hasTroubles: true,
    hasVariety: true,
    fault:
      'two users started sentences with the same word, and one sentence split the other after that word',
  },
  {
    seed: 310_148,
    hasSentences: true,
    hasTroubles: true,
    hasVariety: true,
    fault: 'a new sentence was taken for the rest of the one before it',
  },
  {
    seed: 351_413,
    hasSentences: true,
    hasMiddlebox: true,
    fault: 'the rest of a sentence came after lines that its writer removed',
  },
]
