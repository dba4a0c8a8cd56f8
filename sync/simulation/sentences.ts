import type { Tab } from './browser.ts'
import { sentenceLike, sentenceShape, typedSentence } from './everyday.ts'
import { edit, newWord } from './hands.ts'
import type { Random } from './random.ts'
import type { World } from './schedule.ts'
import type { PlaceName } from './writer-editor.ts'

/**
 * People who type everyday sentences, often at the same place as another one.
 */
export type Sentences = {
  source: Random
  chance: number
  /** The words that each page has still to type of its sentence. */
  left: Map<string, string[]>
}

/** People often pause in the middle of a sentence, while others write behind what they typed. */
const weights = { meet: 3, begin: 2, goOn: 7 }

const acts: Record<keyof typeof weights, (world: World) => void> = {
  /** Two begin at one place at the same moment. */
  meet(world) {
    const { source } = world.sentences
    const [first, ...others] = writing(world)
    const other = others.find(({ articleId }) => articleId === first?.articleId)
    const place = source.pick<PlaceName>(['end', 'end', 'end', 'inside', 'start'])
    for (const tab of [first, other]) if (tab) begin(world, tab, place)
  },
  begin(world) {
    const { source } = world.sentences
    const [tab] = writing(world)
    if (tab) begin(world, tab, source.pick(['end', 'line', 'block', 'inside', 'start']))
  },
  goOn(world) {
    for (const tab of writing(world)) {
      if (!world.sentences.left.has(tab.name)) continue
      goOn(world, tab)
      return
    }
  },
}

const MOST_ACTS = 4

/** Shortest and longest: a page saves what it has after a second at most. */
const pauses: Record<'word' | 'thought', [number, number]> = {
  word: [100, 900],
  thought: [1_100, 4_000],
}

const pauseOf = (random: Random) => pauses[random.pick<'word' | 'thought'>(['word', 'thought'])]

export async function meetSentences(world: World): Promise<void> {
  const { source, chance } = world.sentences
  if (!source.chance(chance)) return
  for (let left = source.between(1, MOST_ACTS); left > 0; left -= 1) {
    acts[source.weighted(weights)](world)
    await world.pass(source.between(...pauseOf(source)))
  }
}

/** The pages that a user may type in, in any order. */
function writing({ browsers, sentences: { source } }: World): Tab[] {
  const tabs = browsers.flatMap(({ tabs }) =>
    tabs.filter(({ page, text, editor }) => page.isRunning() && text && !editor.isComposing()),
  )
  return tabs
    .map((tab) => [source.next(), tab] as const)
    .sort(([a], [b]) => a - b)
    .map(([, tab]) => tab)
}

function begin(world: World, tab: Tab, place: PlaceName): void {
  const { source, left } = world.sentences
  const words = source.chance(0.7)
    ? sentenceLike(sentenceShape(source), source)
    : typedSentence(source)
  const { piece, name } = pieceOf(world, tab, words)
  // The page handles the first word before the next one: other sentences begin with the same word.
  const [first = '', ...rest] = piece
  edit(world, tab, () => {
    tab.editor.typeAt(place, first, source)
    return `begins '${first}' at ${place}`
  })
  if (rest.length > 0) edit(world, tab, () => goingOn(tab, rest), 'continues')
  world.runs.begin(tab)
  world.runs.typed(tab, piece, name)
  left.set(tab.name, words)
}

/** Behind the last word that the page typed; sometimes with another sentence. */
function goOn(world: World, tab: Tab): void {
  const { source, left } = world.sentences
  const words = left.get(tab.name) ?? []
  if (words.length === 0 && source.chance(0.4)) words.push(...typedSentence(source))
  if (words.length === 0 || tab.editor.typedRun() === '') {
    left.delete(tab.name)
    return
  }
  const { piece, name } = pieceOf(world, tab, words)
  edit(world, tab, () => goingOn(tab, piece), 'continues')
  world.runs.typed(tab, piece, name)
}

function goingOn({ editor }: Tab, words: readonly string[]): string {
  editor.goOn(words.join(' '))
  return `goes on with '${words.join(' ')}'`
}

/** Takes the next words, and puts a word that occurs once before the last of them. */
function pieceOf(world: World, tab: Tab, words: string[]): { piece: string[]; name: string } {
  const { source } = world.sentences
  const piece = words.splice(0, source.between(1, 5))
  const name = newWord(world, tab)
  piece.splice(source.between(0, piece.length - 1), 0, name)
  return { piece, name }
}
