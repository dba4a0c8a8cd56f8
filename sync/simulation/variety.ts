import { actions } from './actions.ts'
import type { Tab } from './browser.ts'
import { anyBrowser, anyTab, browserOf, typedIn } from './hands.ts'
import { switchPerson } from './people.ts'
import type { BlockKind } from './prose.ts'
import type { Random } from './random.ts'
import type { Variety, World } from './schedule.ts'

type Name =
  | 'typeLetters'
  | 'hide'
  | 'hideAndClose'
  | 'leave'
  | 'split'
  | 'join'
  | 'turn'
  | 'switchPerson'

/** What some schedules have beside everything else, and how often each of it comes. */
const varieties: Record<Variety, Partial<Record<Name, number>>> = {
  none: {},
  letters: { typeLetters: 8, hide: 3, hideAndClose: 1, leave: 1 },
  structure: { typeLetters: 2, split: 2, join: 2, turn: 2 },
  people: { switchPerson: 4, typeLetters: 2, hide: 1 },
}

/** The kind of a schedule, drawn apart from everything else, so that those without stay what they were. */
export const varietyOf = (random: Random): Variety =>
  random.weighted({ none: 3, letters: 1, structure: 1, people: 1 })

/** Letters that follow the number of a word: nobody else's word begins with the same. */
const ENDING = '-abcdefgh'

/**
 * Words that come letter by letter, with the page written, sent and left in the middle of one; changes of the
 * text's structure; somebody else who signs in.
 */
const acts: Record<Name, (world: World) => void | Promise<void>> = {
  typeLetters(world) {
    const tab = anyTab(world)
    if (!tab?.text) return
    const letters = typeOn(world, tab) ?? begin(world, tab)
    tab.text.edited()
    world.log(`${tab.name} comes to ${letters}`)
    return world.random.chance(0.3) ? hide(world, tab) : undefined
  },
  hide(world) {
    const tab = anyTab(world)
    return tab && hide(world, tab)
  },
  hideAndClose: actions.hideAndClose,
  leave: actions.leave,
  split: (world) => change(world, 'splits a block', ({ editor }) => editor.split(world.random)),
  join: (world) => change(world, 'joins two blocks', ({ editor }) => editor.join(world.random)),
  switchPerson: (world) => switchPerson(world, anyBrowser(world)),
  turn(world) {
    const kind = world.random.pick<BlockKind>(['paragraph', 'heading', 'item'])
    change(world, `makes a block ${kind}`, ({ editor }) => editor.turn(kind, world.random))
  },
}

/** Null when nothing that was begun here stands on this screen. */
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

/** Nobody is back at the keys sooner. */
const AWAY_MS = 50

/** Another window comes to the front for a moment: the page writes and sends what it has, and goes on. */
async function hide(world: World, tab: Tab): Promise<void> {
  tab.text?.rescue()
  if (browserOf(world, tab).disk.isSound()) world.words.written(tab.name, world.timeline.now())
  world.log(`${tab.name} is hidden`)
  await world.pass(AWAY_MS)
}

function change(world: World, what: string, act: (tab: Tab) => void): void {
  const tab = anyTab(world)
  if (!tab?.text) return
  act(tab)
  world.isRestructured = true
  tab.text.edited()
  world.log(`${tab.name} ${what}`)
}

export async function vary(world: World): Promise<void> {
  const { random, variety } = world
  if (variety === 'none' || random.chance(0.5)) return
  await acts[random.weighted(varieties[variety] as Record<Name, number>)](world)
}
