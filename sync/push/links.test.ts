import { Dexie } from 'dexie'
import { beforeEach, expect, test } from 'vitest'
import { type ArticleDocument, type ArticleText, linkTo } from '../../domain/text/document.ts'
import { withoutLinks } from '../../domain/text/links.ts'
import { readArticleView } from '../status/article-view.ts'
import { putLinksBack } from '../store/database-upgrades.ts'
import { type AgencyWorld, createAgencyWorld, type OnTheWay } from '../testing/test-agency.ts'
import type { FakeEditor, Tab } from '../testing/test-world.ts'

/**
 * A page of the release before links against this server. It drops them from the text when it opens it, as the editor of these
 * tests does with the first key, and says nothing of what it knows.
 */

const GUIDE = 'https://larkspur.example/guides/dark-river'

/** One paragraph; its first word is a link. */
const guide = (words: string, href = GUIDE): ArticleDocument => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Guide', marks: [linkTo(href)] },
        { type: 'text', text: words },
      ],
    },
  ],
})

const asEarlierPage = ({ address, headers }: OnTheWay): OnTheWay => ({
  address: address.replace(/[?&]Contun-Knows=links/, (sign) => (sign[0] === '?' ? '?' : '')),
  headers,
})

let world: AgencyWorld
let tab: Tab
let editor: FakeEditor

beforeEach(async () => {
  world = await createAgencyWorld()
  await world.write(world.admin, guide(' first.'))
  world.line.rewrite = asEarlierPage
  tab = await world.tab('earlier')
  await world.pass(1_000)
  ;({ editor } = await tab.edit(world.article))
})

async function onServer(): Promise<ArticleText> {
  const answer = await world.api.as(world.admin).get(`/v1/articles/${world.article}`)
  return (await answer.json()).articleText
}

const view = () => readArticleView(world.database, world.article)

/** The page of this release takes over: it upgrades the local database, and says what it knows. */
async function reload(): Promise<void> {
  tab.kill()
  await world.settle()
  world.line.rewrite = (request) => request
  const { database } = world
  await database.transaction('rw', [database.drafts, database.texts], () =>
    putLinksBack(Dexie.currentTransaction, () => {}),
  )
  await world.tab('next')
  await world.pass(60_000)
}

test('its text is kept here, with the request to reload, and goes with the links after that', {
  tags: ['@SY-05'],
}, async () => {
  editor.type(' More.')
  await world.pass(10_000)
  expect(world.line.statuses).toContain(426)
  expect(await onServer()).toEqual(guide(' first.'))
  expect(editor.words).toBe('Guide first. More.')
  expect(await view()).toMatchObject({ warning: { kind: 'update' } })
  await reload()
  expect(await onServer()).toEqual(guide(' first. More.'))
  expect(await view()).toMatchObject({ saveLine: 'saved' })
})

test('it keeps the link that came while it was typing, and the words of both', {
  tags: ['@SY-11'],
}, async () => {
  await world.write(world.admin, withoutLinks(guide(' first.')))
  const knowing = `/v1/articles/${world.article}?Contun-Knows=links`
  const bare = { articleText: withoutLinks(guide(' first.')) }
  expect((await world.api.as(world.admin).patch(knowing, bare)).status).toBe(200)
  await world.pass(10_000)
  world.line.down = true
  world.line.cut()
  editor.type(' More.')
  await world.pass(5_000)
  await world.write(world.admin, guide(' at first.', 'mailto:ada@larkspur.example'))
  world.line.down = false
  tab.client.wake()
  await world.pass(60_000)
  expect(world.line.statuses).toContain(426)
  await reload()
  expect(await onServer()).toEqual(guide(' at first. More.', 'mailto:ada@larkspur.example'))
})

test('the last words of such a page have the links as well', { tags: ['@fault-14'] }, async () => {
  const left = await world.tab('left')
  const { text, editor: open } = await left.edit(world.article)
  world.line.down = true
  open.type(' Last words.')
  text.saveExitSnapshot()
  left.kill()
  await world.settle()
  const { database } = world
  const store = database.snapshotStore
  await database.exitSnapshots
    .toCollection()
    .modify((row) => void Reflect.deleteProperty(row, 'knowsLinks'))
  const key = store?.key(0) ?? ''
  const { knowsLinks, ...row } = JSON.parse(store?.getItem(key) ?? '{}')
  expect(knowsLinks).toBe(1)
  store?.setItem(key, JSON.stringify(row))
  world.line.down = false
  await reload()
  expect(await onServer()).toEqual(guide(' first. Last words.'))
})
