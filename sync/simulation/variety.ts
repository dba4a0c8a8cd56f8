import { actions } from './actions.ts'
import type { Tab } from './browser.ts'
import { paragraphWith } from './everyday.ts'
import { anyBrowser, anyTab, browserOf, edit, newWord, typedIn } from './hands.ts'
import { switchPerson } from './people.ts'
import type { BlockKind } from './prose.ts'
import type { Random } from './random.ts'
import type { World } from './schedule.ts'
import type { Word } from './words.ts'

type Name =
  | 'typeLetters'
  | 'hide'
  | 'hideAndClose'
  | 'leave'
  | 'deleteBlock'
  | 'split'
  | 'join'
  | 'turn'
  | 'switchPerson'
  | 'cutStreams'
  | 'deafenStreams'
  | 'paste'
  | 'moveSection'
  | 'link'

/** The optional parts of a schedule, and how often each of them occurs. */
const varieties = {
  letters: { typeLetters: 8, hide: 3, hideAndClose: 1, leave: 1 },
  structure: { typeLetters: 2, split: 2, join: 2, turn: 2 },
  people: { switchPerson: 3, typeLetters: 2, hide: 1 },
  news: { cutStreams: 1, deafenStreams: 1, typeLetters: 2 },
  links: { link: 4, typeLetters: 1, deleteBlock: 1, split: 1, join: 1, turn: 1 },
  prose: { paste: 3, moveSection: 3, typeLetters: 2, deleteBlock: 1, split: 1, join: 1, turn: 1 },
} satisfies Record<string, Partial<Record<Name, number>>>

export type Variety = keyof typeof varieties

/** Prose and links are used only where a schedule requests them. */
const chances: Record<Exclude<Variety, 'prose' | 'links'>, number> = {
  letters: 0.5,
  structure: 0.3,
  people: 0.3,
  news: 0.4,
}

/** Drawn separately, so that all other choices stay the same. */
export function varietiesOf(random: Random): Variety[] {
  const names = Object.keys(chances) as (keyof typeof chances)[]
  return names.filter((name) => random.chance(chances[name]))
}

/** Letters that follow the number of a word, so that no other word begins with the same. */
const ENDING = '-abcdefgh'

/**
 * Words that are typed letter by letter, with the page written, sent and left in the middle of one; changes of the
 * text's structure; another user who signs in.
 */
const acts: Record<Name, (world: World) => void | Promise<void>> = {
  typeLetters(world) {
    const tab = anyTab(world)
    if (!tab?.text) return
    edit(world, tab, () => `comes to ${typeOn(world, tab) ?? begin(world, tab)}`)
    return world.random.chance(0.3) ? hide(world, tab) : undefined
  },
  hide(world) {
    const tab = anyTab(world)
    return tab && hide(world, tab)
  },
  hideAndClose: actions.hideAndClose,
  leave: actions.leave,
  deleteBlock: actions.deleteBlock,
  split: (world) => change(world, 'splits a block', ({ editor }) => editor.split(world.random)),
  join: (world) => change(world, 'joins two blocks', ({ editor }) => editor.join(world.random)),
  switchPerson: (world) => switchPerson(world, anyBrowser(world)),
  cutStreams(world) {
    const { name, streams } = anyBrowser(world)
    world.log(`the streams of ${name} are cut`)
    streams?.cut()
  },
  deafenStreams(world) {
    const { name, streams } = anyBrowser(world)
    world.log(`the streams of ${name} fall silent`)
    streams?.deafen()
  },
  paste(world) {
    const tab = anyTab(world)
    if (!tab?.text || !world.prose) return
    const { prose } = world
    const paragraphs = Array.from({ length: prose.between(1, 5) }, () =>
      Array.from({ length: prose.between(1, 3) }, () => newWord(world, tab)),
    )
    edit(world, tab, () => {
      tab.editor.paste(
        paragraphs.map((names) => paragraphWith(names, prose)),
        world.random,
      )
      return `pastes ${paragraphs.flat().join(' ')}`
    })
  },
  moveSection: (world) =>
    change(world, 'moves a section', ({ editor }) => editor.moveSection(world.random)),
  /** Only own words: so no two devices set an address on the same one, and each address stays. */
  link(world) {
    const tab = anyTab(world)
    if (!tab?.text) return
    const where = typedIn(world, tab)
    const own = world.words
      .of(tab.articleId)
      .filter(({ profile, name, state }) => profile === where.profile && isWhole(name, state))
    const address = `a${world.words.count() + 1}`
    const word = own.length > 0 && world.random.pick(own as [Word, ...Word[]])
    if (!word || !tab.editor.has(word.name)) return
    edit(world, tab, () => {
      tab.editor.link(word.name, address)
      return `links ${word.name} to ${address}`
    })
    world.words.typed({ name: address, of: word.name, ...where })
  },
  turn(world) {
    const kind = world.random.pick<BlockKind>(['paragraph', 'heading', 'item'])
    change(world, `makes a block ${kind}`, ({ editor }) => editor.turn(kind, world.random))
  },
}

const isWhole = (name: string, state: Word['state']): boolean =>
  /^w\d+$/.test(name) && state !== 'deleted' && state !== 'unfinished'

/** Null when nothing that was begun here is on this screen. */
function typeOn(world: World, tab: Tab): string | null {
  const where = typedIn(world, tab)
  for (const { name, letters } of world.words.unfinished(tab.articleId, where.profile)) {
    const more = Math.min(name.length, letters + world.random.between(1, 4))
    const longer = name.slice(0, more)
    if (!tab.editor.typeOn(name.slice(0, letters), longer)) continue
    world.words.typed({ name, ...where }, more)
    return longer
  }
  return null
}

function begin(world: World, tab: Tab): string {
  const name = `w${world.words.count() + 1}${ENDING}`
  const letters = name.length - world.random.between(1, ENDING.length - 1)
  world.words.typed({ name, ...typedIn(world, tab) }, letters)
  tab.editor.type(name.slice(0, letters), world.random)
  return name.slice(0, letters)
}

/** The shortest time away from the keyboard. */
const AWAY_MS = 50

/** Another window comes to the front for a moment: the page writes and sends what it has, and continues. */
async function hide(world: World, tab: Tab): Promise<void> {
  tab.client.saveExitSnapshot()
  if (browserOf(world, tab).disk.isSound()) world.words.written(tab.name, world.timeline.now())
  world.log(`${tab.name} is hidden`)
  await world.pass(AWAY_MS)
}

function change(world: World, what: string, act: (tab: Tab) => void): void {
  const tab = anyTab(world)
  if (!tab?.text) return
  edit(world, tab, () => {
    act(tab)
    return what
  })
  world.isRestructured = true
}

export async function vary(world: World): Promise<void> {
  const { random } = world
  if (world.varieties.length === 0 || random.chance(0.5)) return
  const weights: Partial<Record<Name, number>> = varieties[random.pick(world.varieties as Some)]
  await acts[random.weighted(weights as Record<Name, number>)](world)
}

type Some = [Variety, ...Variety[]]
