import type { KnownFault } from './breakages.ts'
import { paragraphsOf, proseOf } from './prose.ts'

/** Faults that only show in what variety.ts does, or most of all there. */
export const varietyFaults: readonly KnownFault[] = [
  {
    name: 'takes what a leaving page sent for a text that never left',
    seed: 23,
    core: {
      noteSent: () => async () => {},
      queueText: (original) => (database, draft, change) =>
        original(database, draft, { ...change, maybeSent: undefined }),
    },
  },
  {
    name: 'sends with whatever session there is',
    seed: 23,
    hasVariety: true,
    confuses: 'sessions',
  },
  {
    name: 'keeps the texts of two people together',
    seed: 1,
    hasVariety: true,
    confuses: 'databases',
  },
  {
    name: 'keeps the words of the server, but not what they are',
    seed: 1,
    hasVariety: true,
    core: {
      storeText:
        (original) =>
        (database, text, ...rest) =>
          original(database, { ...text, doc: proseOf(paragraphsOf(text.doc)) }, ...rest),
    },
  },
]
