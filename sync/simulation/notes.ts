import { createHash } from 'node:crypto'
import { fingerprinted } from '../../domain/text/fingerprint.ts'
import type { NoteCreate } from '../../domain/wire/notes.ts'
import { readArticleRecord } from '../status/article-record.ts'
import type { Tab } from './browser.ts'
import { isReadable, watch } from './hands.ts'
import type { Random } from './random.ts'
import type { World } from './schedule.ts'

/** A note is kept from the moment that its page knows it in the queue. */
type Written = {
  /** Its name too. */
  body: string
  articleId: string
  writer: string
  isAboutWords: boolean
  isKept: boolean
}
export type Notes = { source: Random; chance: number; written: Written[] }

const ANCHOR = { quote: 'words', before: '', after: '', block: 0, textVersion: 1 }

/**
 * With a chance of its own, a writer adds a note about the article or about words of it, answers one, or marks one as done
 * or open.
 */
export function meetNote(world: World): void {
  const { source, chance, written } = world.notes
  if (!source.chance(chance)) return
  const tab = source.pick(world.browsers).tabs.find(({ page, text }) => page.isRunning() && text)
  if (!tab || !isReadable(world, tab)) return
  const about = source.chance(0.5) ? source.pick([null, ...written]) : null
  const isHere = about?.isAboutWords && about.isKept && about.articleId === tab.articleId
  if (isHere && source.chance(0.7)) {
    const done = source.chance(0.5)
    world.log(`${tab.name} marks ${about.body} as ${done ? 'done' : 'open'}`)
    watch(world, tab, tab.client.changeNote(tab.articleId, about.body, { done }))
    return
  }
  const body = `note${written.length + 1}`
  const writer = `${tab.name.split('.')[0]} ${tab.personId}`
  const isAboutWords = !isHere && source.chance(0.6)
  const note: Written = { body, articleId: tab.articleId, writer, isAboutWords, isKept: false }
  written.push(note)
  world.log(`${tab.name} writes ${body}`)
  const create: NoteCreate = isAboutWords
    ? { kind: 'note', body, ref: body, anchor: ANCHOR }
    : { kind: 'answer', body, ...(isHere && { ref: body, to: about.body }) }
  watch(world, tab, tab.client.addNote(tab.articleId, create)).then(() => {
    note.isKept = true
  })
}

/** Longest time until every device has the last receipts and notes: a poll, and one that met a lost response. */
const FETCHED_MS = 600_000
const STEP_MS = 30_000

/** What must be true of receipts and notes when everything is settled. */
export async function judgeRecords(world: World): Promise<void> {
  for (const articleId of world.agency.articles) {
    await judgeNotes(world, articleId)
    await judgeHandIns(world, articleId)
  }
  for (let left = FETCHED_MS; left > 0; left -= STEP_MS) {
    if ((await behind(world)).length === 0) return
    for (const { tabs } of world.browsers) for (const tab of tabs) tab.client.wake()
    await world.pass(STEP_MS)
  }
  for (const name of await behind(world)) world.failures.push(`${name} has other receipts or notes`)
}

async function judgeNotes(world: World, articleId: string): Promise<void> {
  const { agency, failures, notes } = world
  const stored = (await agency.notes(articleId)).flatMap(({ body }) => (body === '' ? [] : [body]))
  for (const body of stored.filter((one, at) => stored.indexOf(one) !== at))
    failures.push(`${body} is stored twice`)
  const { deleted } = await agency.head(articleId)
  const kept = notes.written.filter((note) => note.articleId === articleId && note.isKept)
  const waiting = deleted ? await waitingNotes(world, articleId) : []
  for (const { body } of kept)
    if (![...stored, ...waiting].includes(body) && !isForgotten(world))
      failures.push(`${body} is lost`)
  // One that was refused in between with its article is sent when the device knows that the article is back, and one that
  // a restored server lost when it knows that.
  if (agency.wasShutOut(articleId) || agency.isPutBack()) return
  for (const writer of new Set(kept.map((note) => note.writer))) {
    const own = kept.filter((note) => note.writer === writer).map(({ body }) => body)
    const order = stored.filter((body) => own.includes(body))
    if (order.join() !== own.filter((body) => stored.includes(body)).join())
      failures.push(`the notes of ${writer} are out of order: ${order.join()}`)
  }
}

/** Those that devices keep, where they can be copied. */
async function waitingNotes({ browsers }: World, articleId: string): Promise<string[]> {
  const queues = await Promise.all(
    browsers.map(({ tabs }) => tabs[0]?.database.outbox.where({ articleId }).toArray() ?? []),
  )
  return queues
    .flat()
    .flatMap((entry) => (entry.kind === 'note' ? [JSON.parse(entry.body).body] : []))
}

/** A broken database may have forgotten what it had stored. */
const isForgotten = ({ browsers }: World): boolean => browsers.some(({ disk }) => disk.hasFailed())

async function judgeHandIns({ agency, failures }: World, articleId: string): Promise<void> {
  const { handIns, completed } = await agency.handIns(articleId)
  if (handIns.map(({ textVersion }) => textVersion).join() !== completed.join())
    failures.push(`completions of ${completed.join()} have receipts of ${JSON.stringify(handIns)}`)
  for (const [at, { number, textVersion, receipt }] of handIns.entries()) {
    const text = await agency.textOf(articleId, textVersion)
    const hash = text && createHash('sha256').update(fingerprinted(text).document).digest('hex')
    if (number !== at + 1) failures.push(`hand-in ${number} is number ${at + 1}`)
    if (receipt?.textHash !== hash) failures.push(`hand-in ${number} is of another text`)
  }
}

/** The devices whose receipts or notes are not those of the server. */
async function behind(world: World): Promise<string[]> {
  const names: string[] = []
  for (const browser of world.browsers) {
    const tab = browser.tabs[0]
    if (!tab) continue
    for (const articleId of world.agency.articles) {
      const { deleted } = await world.agency.head(articleId)
      if (!deleted && !(await isSame(world, tab, articleId))) names.push(browser.name)
    }
  }
  return names
}

async function isSame({ agency }: World, tab: Tab, articleId: string): Promise<boolean> {
  const { handIns, notes } = await readArticleRecord(tab.database, articleId)
  const server = await agency.handIns(articleId)
  const signatures = server.handIns.map(({ receipt }) => receipt?.signature).reverse()
  const stored = await agency.notes(articleId)
  return (
    handIns.map(({ receipt }) => receipt?.signature).join() === signatures.join() &&
    notes.map(({ kind, body, to = null }) => [kind, body, to]).join() ===
      stored.map(({ kind, body, about }) => [kind, body, about]).join()
  )
}
