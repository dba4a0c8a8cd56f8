import type { ArticleText } from '../../domain/text/document.ts'
import { readArticleView } from '../status/article-view.ts'
import { readDraft } from '../store/draft-rows.ts'
import type { Browser, Tab } from './browser.ts'
import { isReadable } from './hands.ts'
import { judgeAuthors } from './people.ts'
import { paragraphsOf, shapeOf, wordsOf } from './prose.ts'
import { judgeRuns } from './runs.ts'
import type { World } from './schedule.ts'
import { nameIn, type Word } from './words.ts'

/** Words by article. */
type KeptWords = ReadonlyMap<string, readonly string[]>

/** What must be true when everything is settled. `keptByOthers`: unsent words on devices whose user is signed out. */
export async function judge(world: World, keptByOthers: KeptWords): Promise<void> {
  for (const articleId of world.agency.articles) {
    await judgeWords(world, articleId, keptByOthers.get(articleId) ?? [])
    await judgeRuns(world, articleId)
    await judgeCopies(world, articleId)
    await judgeAuthors(world, articleId)
  }
  for (const key of await world.agency.keysAppliedTwice()) {
    world.failures.push(`key ${key} was applied twice`)
  }
  for (const browser of world.browsers) {
    if (browser.lostSessions() > 0) world.failures.push(`${browser.name} was signed out`)
  }
  for (const fault of world.agency.faults) world.failures.push(`the server failed: ${fault}`)
}

/**
 * Every word that a device promised to keep is in the text. Where a client without our headers overwrote it, it is in a
 * revision; where the article is gone, it may still be pending on the device.
 */
async function judgeWords(
  world: World,
  articleId: string,
  keptByOthers: readonly string[],
): Promise<void> {
  const { document, deleted } = await world.agency.head(articleId)
  const kept = new Set(wordsOf(document))
  if (!mayDouble(world)) judgeOnce(world, articleId, document)
  if (world.hasPlainWriter || deleted) {
    for (const { words } of await world.agency.revisions(articleId))
      for (const word of words) kept.add(word)
  }
  const here = new Set([...((await keptWords(world)).get(articleId) ?? []), ...keptByOthers])
  for (const word of world.words.durable(articleId)) {
    const isTakenBack = world.agency.isTakenBack(articleId, word.name)
    // What the server had and lost is its text: it leaves a computer with the right to read it.
    if (isTakenBack && world.agency.wasShutOut(articleId)) continue
    const mayBeHere = deleted || isTakenBack
    if (world.words.isGone(word)) continue
    if (!kept.has(word.name) && !(mayBeHere && here.has(word.name)))
      world.failures.push(`${word.name}, typed in ${word.tab}, is lost`)
  }
}

/**
 * Where words may be duplicated: a client without our headers restores an old text, as does a page behind a proxy that
 * strips every condition, until the overwritten text is restored, and a server that is restored from a backup; a
 * database that failed forgot what the server has.
 */
const mayDouble = ({ agency, hasPlainWriter, browsers }: World): boolean =>
  agency.isPutBack() ||
  hasPlainWriter ||
  browsers.some(({ disk, line }) => disk.hasFailed() || line.box?.overwrites === true)

/** A word that was typed once; everyday words are not. */
const NAME = /^w\d/

/**
 * No word is there twice, nor once as a whole and once as its beginning. Only where one writer deleted, split or moved
 * what another one continued, both may stay, and what two others continued may be restored from both. What two changed at
 * one place of a sentence is there as each has it.
 */
function judgeOnce(world: World, articleId: string, document: ArticleText): void {
  const { doubled, words, isRestructured, log } = world
  const mayBeInBothForms = isRestructured || words.isAnyDeleted(articleId)
  const all = wordsOf(document).filter((word) => NAME.test(word))
  const stems: string[] = all.join(' ').match(/w\d+/g) ?? []
  const deleted = new Set(
    words.of(articleId).flatMap((word) => (word.state === 'deleted' ? [word.name] : [])),
  )
  const rewritten = world.rewritten.twiceIn(articleId)
  const twice = (mayBeInBothForms ? all : stems).filter(
    (word, at, list) =>
      list.indexOf(word) !== at &&
      !deleted.has(word) &&
      !rewritten.some((sentence) => sentence.has(nameIn(word) ?? word)),
  )
  doubled.push(...twice)
  if (twice.length > 0) for (const line of paragraphsOf(document)) log(`the text: ${line}`)
}

/** What the computers keep for those who are there now. */
export async function keptWords({ agency, browsers }: World): Promise<KeptWords> {
  const kept = new Map<string, string[]>()
  for (const articleId of agency.articles) {
    const words = await Promise.all(browsers.map(({ tabs }) => wordsKeptBy(tabs[0], articleId)))
    kept.set(articleId, words.flat())
  }
  return kept
}

/** In the draft, in an earlier text, or in what a closing page left. */
async function wordsKeptBy(tab: Tab | undefined, articleId: string): Promise<string[]> {
  if (!tab) return []
  const { localRevs, exitSnapshots } = tab.database
  const draft = await readDraft(tab.database, articleId)
  const rows = [
    ...(draft ? [draft] : []),
    ...(await localRevs.toArray()),
    ...(await exitSnapshots.toArray()),
  ]
  return rows.filter((row) => row.articleId === articleId).flatMap(({ doc }) => wordsOf(doc))
}

/** Every device and every screen shows the server's text and the right state. */
async function judgeCopies(world: World, articleId: string): Promise<void> {
  const { document, deleted } = await world.agency.head(articleId)
  if (deleted) return
  const text = shapeOf(document)
  for (const { tabs, name } of world.browsers) {
    const draft = tabs[0] && (await readDraft(tabs[0].database, articleId))
    if (draft && shapeOf(draft.doc) !== text) {
      world.failures.push(`${name} has another text of ${articleId.slice(-2)} than the server`)
    }
    for (const tab of tabs) {
      if (tab.articleId !== articleId) continue
      if (tab.text && shapeOf(tab.editor.read()) !== text) {
        world.failures.push(`${tab.name} shows another text than the server has`)
      }
      await judgeRest(world, tab)
    }
  }
}

async function judgeRest({ failures }: World, tab: Tab): Promise<void> {
  const { view } = await readCopy(tab)
  if (view?.saveLine !== 'saved') failures.push(`${tab.name} ends with ${view?.saveLine}`)
  if (view?.warning) failures.push(`${tab.name} warns of ${view.warning.kind} at the end`)
  if (view?.blocked) failures.push(`${tab.name} holds text back at the end: ${view.blocked.reason}`)
}

/** Longest time that the banner may be behind the truth. */
const BANNER_LAG_MS = 250

/** The view of a page must be true at any moment. */
export async function judgeView(world: World, tab: Tab, browser: Browser): Promise<void> {
  const { outcomes, disk } = browser
  if (!isReadable(world, tab)) return
  const copy = await readCopy(tab).catch((error) => {
    if (!disk.hasFailed()) throw error
  })
  if (!copy) return
  const { view, draft } = copy
  if (tab.text && !view?.hasText) await browser.followCopy(tab)
  if (!view || !draft) return
  if (view.saveLine === 'saved') await judgeSaved(world, tab, paragraphsOf(draft.doc).join('\n'))
  const outcome = outcomes.after(tab.articleId, BANNER_LAG_MS)
  // What the page shows went past the failed save, and the server has it.
  const isSentPast = view.saveLine === 'sent-only'
  const isFailed = outcome === 'failed' && draft.dirty === 1 && !view.blocked && !isSentPast
  if (isFailed && !view.warning) blame(world, `${tab.name} is silent about a failed save`)
  // The words that a page has in memory alone are not those that were saved.
  const isRefuted = view.warning !== null && view.warning.kind !== 'memory'
  if (outcome === 'saved' && isRefuted) blame(world, `${tab.name} warns of what is saved`)
}

/** Longest time that a page may be silent about words that it cannot write. */
const MEMORY_LAG_MS = 1_000

/** While the storage fails, a page shows that its words are in memory alone, or that the server has them. */
export async function judgeMemory(world: World): Promise<void> {
  const now = world.timeline.now()
  for (const { tabs, disk } of world.browsers) {
    for (const tab of tabs) {
      if (!tab.page.isRunning() || !tab.text || now - tab.awakeSince < MEMORY_LAG_MS) continue
      const words = world.words
        .fresh(tab.name)
        .filter(({ typedAt }) => typedAt > disk.failedSince() && now - typedAt > MEMORY_LAG_MS)
      if (words.length > 0) await judgeSilence(world, tab, words)
    }
  }
}

async function judgeSilence(world: World, tab: Tab, words: readonly Word[]): Promise<void> {
  const unsaved = tab.database.unsaved.of(tab.articleId)
  if (unsaved === null) blame(world, `${tab.name} is silent about ${words[0]?.name}`)
  if (unsaved?.kind !== 'memory' || !unsaved.sent) return
  const revisions = await world.agency.revisions(tab.articleId)
  const sent = new Set(revisions.flatMap((one) => [...one.words]))
  for (const { name } of words) {
    if (!sent.has(name)) blame(world, `${tab.name} says that the server has ${name}`)
  }
}

/** In one transaction, because each of its own takes time. */
function readCopy({ database, articleId }: Tab) {
  return database.transaction('r', database.tables, async () => ({
    view: await readArticleView(database, articleId),
    draft: await readDraft(database, articleId),
  }))
}

/** 'Saved' may only be shown for a text that the server has or had. */
async function judgeSaved(world: World, tab: Tab, text: string): Promise<void> {
  const revisions = await world.agency.revisions(tab.articleId)
  if (revisions.some((revision) => revision.text === text)) return
  blame(world, `${tab.name} says saved of a text that the server never had`)
}

function blame({ failures, log }: World, failure: string): void {
  failures.push(failure)
  log(`! ${failure}`)
}
