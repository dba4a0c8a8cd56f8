import type { ArticleText } from '../../domain/text/document.ts'
import { withoutLinks } from '../../domain/text/links.ts'
import type { BusMessage, Ports } from '../ports.ts'
import type { storeTexts } from '../pull/store-pulled.ts'
import type { KnownFault } from './breakages.ts'
import { paragraphsOf, proseOf } from './prose.ts'

/** Changes every text of the server before it is stored. */
const storingAs =
  (change: (doc: ArticleText) => ArticleText) =>
  (original: typeof storeTexts): typeof storeTexts =>
  (database, texts, now) => {
    const changed = texts.map(({ text, madeAt }) => ({
      text: { ...text, doc: change(text.doc) },
      madeAt,
    }))
    return original(database, changed, now)
  }

/** Faults that only show in what variety.ts does, or most of all there. */
export const varietyFaults: readonly KnownFault[] = [
  {
    name: 'takes what a leaving page sent for a text that never left',
    seed: 329,
    hasVariety: true,
    core: {
      noteSent: () => async () => {},
      queueText: (original) => (database, draft, change) =>
        original(database, draft, { ...change, maybeSent: undefined }),
    },
  },
  {
    name: 'sends with whatever session there is',
    seed: 41,
    hasVariety: true,
    confuses: 'sessions',
  },
  {
    name: 'keeps the texts of two people together',
    seed: 34,
    hasVariety: true,
    confuses: 'databases',
  },
  {
    name: 'keeps the words of the server, but not what they are',
    seed: 10,
    hasVariety: true,
    core: {
      storeTexts: storingAs((doc) => proseOf(paragraphsOf(doc))),
    },
  },
  {
    name: 'knows no links',
    seed: 4,
    hasLinks: true,
    core: {
      storeTexts: storingAs(withoutLinks),
    },
  },
  {
    name: 'hears the server and does nothing about it',
    seed: 2,
    hasVariety: true,
    ports: ({ stream, ...ports }) => ({
      ...ports,
      ...(stream && {
        stream: (request) => stream({ ...request, heard: (text) => request.heard(mute(text)) }),
      }),
    }),
  },
  {
    name: 'takes a stream for every tab',
    seed: 2,
    hasVariety: true,
    ports: ({ locks, ...ports }) => ({
      ...ports,
      locks: {
        hold: (name, task, options) =>
          name.startsWith('contun-news') ? task() : locks.hold(name, task, options),
      },
      bus: { ...ports.bus, post: (message) => post(ports, message) },
    }),
  },
  {
    name: 'trusts a stream that has fallen silent',
    seed: 31,
    hasVariety: true,
    ports: ({ clock, ...ports }) => ({
      ...ports,
      clock: {
        now: clock.now,
        after: (ms, task) => (ms === SILENCE_MS ? () => {} : clock.after(ms, task)),
      },
    }),
  },
]

/** After this time without a sign of life a page gives its stream up. */
const SILENCE_MS = 45_000

/** The greeting and the signs of life stay. */
const mute = (text: string): string => (text.startsWith('data:') ? ':\n\n' : text)

/** Drops the messages that another tab took over. */
function post({ bus }: Pick<Ports, 'bus'>, message: BusMessage): void {
  if (message.kind !== 'news-mine') bus.post(message)
}
