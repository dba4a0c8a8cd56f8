import type { Random } from './random.ts'

/** Words and sentences that recur in a text, as they do in the prose of one trade. */

const WORDS = {
  function: (
    'the of and a to in is you that it for on are with as at be this have from or by not but what all we when your can ' +
    'will there use an each which do how their if'
  ).split(' '),
  trade: (
    'garden lamp path water light price week client delivery warm stone order plant team design quality free summer ' +
    'copper oak small large kitchen workshop season offer advice repair install measure choose wait build clean glass ' +
    'roof wall paint booking visit number morning winter soil root leaf metal brass shade border gravel patio fence'
  ).split(' '),
}

const SENTENCES = [
  'Call our friendly team today to book your free consultation right now.',
  'Prices start at nine euros and include delivery to your door.',
  'We have been building gardens in this town for more than twenty years.',
  'Read more about the season on our page of questions and answers.',
].map((sentence) => sentence.split(' '))

/** The first words of each kind are the most frequent. */
export function everydayWord(kind: keyof typeof WORDS, random: Random): string {
  const words = WORDS[kind]
  return words[Math.floor(words.length * random.next() ** 2)] ?? ''
}

export const everydaySentence = (random: Random): string[] =>
  SENTENCES[random.between(0, SENTENCES.length - 1)] ?? []

/** What people write all day: a few shapes and a few words, so that sentences of two writers are often alike. */
const SHAPES = [
  'The $thing is a place for the $kind and the $kind.',
  '$name says it is $kind.',
  'The $thing was $kind and the $things were $kind to $act.',
  'The $things are $kind.',
  'In $season we $act.',
  'In $season the $thing is $kind and the light is $kind.',
  'The first year was $kind and the $things were $kind.',
  'We $act the $thing in $season.',
  'It is $kind in the $thing, and the $things are $kind too.',
  '$name and $name $act the $thing.',
]

const BLANKS: Record<string, readonly [string, ...string[]]> = {
  thing: ['garden', 'kitchen', 'soil', 'path', 'roof', 'hedge'],
  things: ['roots', 'leaves', 'lamps', 'stones'],
  kind: ['wet', 'cold', 'low', 'warm', 'dry', 'high', 'quiet', 'slow', 'loud', 'hard', 'small'],
  season: ['spring', 'summer', 'autumn', 'winter'],
  act: ['prune', 'mulch', 'plant', 'dig', 'rest', 'paint'],
  name: ['Imogen', 'Tobias', 'Ada', 'Wren'],
}

export type Shape = string

export const sentenceShape = (random: Random): Shape =>
  SHAPES[random.between(0, SHAPES.length - 1)] ?? ''

/** A sentence of this shape, word by word. */
export const sentenceLike = (shape: Shape, random: Random): string[] =>
  shape
    .replace(/\$([a-z]+)/g, (blank, name) => {
      const words = BLANKS[name]
      return words ? random.pick(words) : blank
    })
    .split(' ')

/** As it comes: mostly with a capital and a full stop, sometimes without one of them, or not finished. */
export function typedSentence(random: Random): string[] {
  const words = sentenceLike(sentenceShape(random), random)
  const way = random.weighted({ whole: 72, lower: 10, open: 6, both: 4, unfinished: 8 })
  if (way === 'lower' || way === 'both') words[0] = words[0]?.toLowerCase() ?? ''
  if (way === 'open' || way === 'both') words.push(words.pop()?.replace('.', '') ?? '')
  return way === 'unfinished' ? words.slice(0, random.between(1, words.length - 1)) : words
}

/** A word that occurs once, among up to `most` that occur everywhere. */
export function phraseWith(name: string, random: Random, most = 4): string {
  const words = Array.from({ length: random.between(0, most) }, () =>
    everydayWord(random.chance(0.5) ? 'function' : 'trade', random),
  )
  words.splice(random.between(0, words.length), 0, name)
  return words.join(' ')
}

/** A paragraph of phrases, some of them with a sentence that other paragraphs have too. */
export function paragraphWith(names: readonly string[], random: Random): string {
  const phrases = names.map((name) => phraseWith(name, random, 8))
  if (random.chance(0.3)) {
    phrases.splice(random.between(0, phrases.length), 0, everydaySentence(random).join(' '))
  }
  return phrases.join(' ')
}
