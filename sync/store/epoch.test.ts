import { beforeEach, describe, expect, test } from 'vitest'
import { startEpoch } from '../../api/audit/new-epoch.ts'
import { plainText } from '../../domain/text/article-text.ts'
import { asDocument } from '../../domain/text/document.ts'
import type { Article } from '../../domain/wire/articles.ts'
import { pruneRevisions } from '../history/prune-revisions.ts'
import { storeArticles, storeTexts } from '../pull/store-pulled.ts'
import { mergeWithServer } from '../push/merge-with-server.ts'
import { settleAcknowledged } from '../push/settle.ts'
import { readArticleView } from '../status/article-view.ts'
import { type AgencyWorld, createAgencyWorld } from '../testing/test-agency.ts'
import { doc, type FakeEditor, type Tab } from '../testing/test-world.ts'
import { readDraft } from './draft-rows.ts'
import { enterEpoch, knownEpoch } from './epoch.ts'
import { evict } from './evict.ts'
import { bodyOf } from './new-entries.ts'
import { readDoc } from './server-docs.ts'

/** The server is restored from an older backup: versions are assigned a second time, to other texts. */

const MINUTE = 60_000
const TABLES = ['articles', 'article_revisions', 'idempotency'] as const

let world: AgencyWorld
let tab: Tab
let editor: FakeEditor

beforeEach(async () => {
  world = await createAgencyWorld()
  tab = await world.tab('tab')
  await world.pass(1_000)
  editor = (await tab.edit(world.article)).editor
  editor.type('first')
  await world.pass(2_000)
})

/** Takes a backup now; returns a function that restores it, as the server's owner is instructed to. */
async function backUp(): Promise<() => Promise<void>> {
  const { db, deps } = world.api
  const kept = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute()))
  return async () => {
    for (const table of [...TABLES].reverse()) await db.deleteFrom(table).execute()
    for (const [at, table] of TABLES.entries()) {
      const rows = kept[at] ?? []
      if (rows.length > 0)
        await db
          .insertInto(table)
          .values(rows as never)
          .execute()
    }
    await db.transaction().execute((inside) => startEpoch(deps, inside))
  }
}

/** Text that is written after the backup, which the restored server has lost. */
async function backUpThenWrite(): Promise<() => Promise<void>> {
  const putBack = await backUp()
  editor.type(' second')
  await world.pass(2_000)
  return putBack
}

/** Another user continues from the backup: the lost text had the version that this text gets. */
async function goOnWithout(putBack: () => Promise<void>): Promise<void> {
  await putBack()
  await world.write(world.admin, doc('first', 'of another history'))
}

function loseConnection(): void {
  world.line.down = true
  world.line.cut()
}

/** No text can be written here from now on; returns a function that frees space. */
function fillDisk(): () => void {
  const hook = world.database.drafts.hook('updating')
  const full = (change: object) => {
    if ('hash' in change) throw new Error('QuotaExceededError')
  }
  hook.subscribe(full)
  return () => hook.unsubscribe(full)
}

/** This device cannot store a new epoch either. */
function fillDiskForHistories(): () => void {
  const hook = world.database.meta.hook('updating')
  const full = (_: object, key: string) => {
    if (key === 'serverEpoch') throw new Error('QuotaExceededError')
  }
  hook.subscribe(full)
  const free = fillDisk()
  return () => {
    hook.unsubscribe(full)
    free()
  }
}

async function onServer(): Promise<string> {
  const row = await world.api.db
    .selectFrom('articles')
    .select('article_text')
    .where('id', '=', world.article)
    .executeTakeFirstOrThrow()
  return plainText(asDocument(JSON.parse(row.article_text)))
}

async function textVersion(): Promise<number> {
  const row = await world.api.db
    .selectFrom('articles')
    .select('text_version')
    .where('id', '=', world.article)
    .executeTakeFirstOrThrow()
  return row.text_version
}

const effects = { now: () => world.clock.now(), newId: () => 'k', random: () => 0 }

async function article(): Promise<Article> {
  const answer = await world.api.as(world.writer).get(`/v1/articles/${world.article}`)
  return (await answer.json()) as Article
}

/** Another tab learns the server's current epoch. */
async function hearOfHistory(): Promise<void> {
  const answer = await world.api.as(world.writer).get(`/v1/articles/${world.article}`)
  await enterEpoch(world.database, answer.headers.get('server-epoch') ?? '')
}

const revisions = async () =>
  (await world.database.localRevs.toArray()).map((revision) => plainText(asDocument(revision.doc)))

describe('a server that was restored from a backup', { tags: ['@fault-28'] }, () => {
  test('returns its older text, and what it lost is kept here', async () => {
    const putBack = await backUpThenWrite()
    await putBack()
    await world.pass(MINUTE)
    expect([editor.words, await onServer()]).toEqual(['first', 'first'])
    expect(await revisions()).toContain('first second')
    expect(await readArticleView(world.database, world.article)).toMatchObject({
      saveLine: 'saved',
    })
    editor.type(' third')
    await world.pass(2_000)
    expect(await onServer()).toBe('first third')
  })

  test('is asked for its list again, also where that is unchanged', async () => {
    await world.api.article({ name: 'Barley', client: world.client, articleText: {} })
    tab.client.wake()
    await world.pass(MINUTE)
    const versions = async () =>
      (await world.database.articles.toArray()).map((article) => article.textVersion)
    const before = await versions()
    expect(before).toHaveLength(2)
    const putBack = await backUp()
    await putBack()
    tab.client.wake()
    await world.pass(3 * MINUTE)
    expect(await versions()).toEqual(before)
  })

  test('may have lost text: it stays here until the server is known to have it', async () => {
    const putBack = await backUpThenWrite()
    await putBack()
    await world.pass(MINUTE)
    const inAYear = world.clock.now() + 365 * 24 * 60 * MINUTE
    await pruneRevisions(world.database, inAYear)
    expect(await revisions()).toContain('first second')
    editor.type(' second')
    await world.pass(MINUTE)
    await pruneRevisions(world.database, inAYear)
    expect(await revisions()).not.toContain('first second')
  })

  test('gets the pending edits, merged from their base', async () => {
    const putBack = await backUpThenWrite()
    loseConnection()
    editor.type(' third')
    await world.pass(MINUTE)
    await putBack()
    await world.write(world.admin, doc('first', 'from the agency'))
    world.line.down = false
    tab.client.wake()
    await world.pass(MINUTE)
    expect(await onServer()).toContain('third')
    expect(await onServer()).toContain('from the agency')
    expect(editor.words).toBe(await onServer())
    expect(await revisions()).toContain('first second third')
  })

  test('loses no text when the same revision number now names another text', async () => {
    const putBack = await backUpThenWrite()
    const { baseVersion } = (await world.database.drafts.get(world.article)) ?? {}
    loseConnection()
    editor.type(' third')
    await world.pass(900)
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(baseVersion)
    world.line.down = false
    await world.pass(10_000)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
  })

  test('nor when the text was left by a page that is closed', async () => {
    const putBack = await backUpThenWrite()
    const { baseVersion } = (await world.database.drafts.get(world.article)) ?? {}
    const other = await world.tab('other')
    const second = await other.edit(world.article)
    loseConnection()
    editor.type(' third')
    tab.client.saveExitSnapshot()
    tab.kill()
    await world.pass(1_000)
    second.editor.type('!')
    await world.pass(1_000)
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(baseVersion)
    world.line.down = false
    other.client.wake()
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
  })

  test('nor when it was blocked while the article was complete', async () => {
    const putBack = await backUpThenWrite()
    const { baseVersion } = (await world.database.drafts.get(world.article)) ?? {}
    const complete = { completed: true }
    await world.api.as(world.admin).patch(`/v1/articles/${world.article}`, complete)
    editor.type(' third')
    await world.pass(5_000)
    expect((await world.database.outbox.toArray())[0]).toMatchObject({
      blockedReason: 'completed',
      unconfirmed: [expect.any(String)],
    })
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(baseVersion)
    tab.client.wake()
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
  })

  test('may have lost text in addition to pending edits', async () => {
    const putBack = await backUpThenWrite()
    loseConnection()
    editor.type(' third')
    await world.pass(MINUTE)
    await putBack()
    world.line.down = false
    tab.client.wake()
    await world.pass(MINUTE)
    await pruneRevisions(world.database, world.clock.now() + 365 * 24 * 60 * MINUTE)
    expect(`${await onServer()} ${await revisions()}`).toContain('second')
  })

  test('loses no text to an earlier direct save', async () => {
    const putBack = await backUpThenWrite()
    loseConnection()
    const free = fillDisk()
    editor.type(' third')
    await world.pass(125_000)
    await goOnWithout(putBack)
    world.line.down = false
    world.line.loseTexts = true
    free()
    await world.tab('other')
    await tab.client.flush()
    await world.pass(5_000)
    world.line.loseTexts = false
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
  })

  test('loses no text to a page whose last direct save the server accepted', async () => {
    const putBack = await backUp()
    const free = fillDisk()
    editor.type(' second')
    await world.pass(5_000)
    expect(await onServer()).toBe('first second')
    const sentTo = await textVersion()
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(sentTo)
    world.line.loseTexts = true
    await world.tab('other')
    free()
    await tab.client.flush()
    await world.pass(5_000)
    world.line.loseTexts = false
    editor.type(' third')
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
    expect(await revisions()).toContain('first second')
  })

  test('loses no text that only it and a page without storage had', async () => {
    const putBack = await backUp()
    const free = fillDisk()
    editor.type(' second')
    await world.pass(5_000)
    expect(await onServer()).toBe('first second')
    await goOnWithout(putBack)
    editor.type(' third')
    await world.pass(20_000)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('second third')
    free()
  })

  test('may have lost what it had accepted by a direct save', async () => {
    const putBack = await backUp()
    const free = fillDisk()
    editor.type(' second')
    await world.pass(5_000)
    expect(await onServer()).toBe('first second')
    free()
    world.line.loseTexts = true
    await tab.client.flush()
    await world.pass(1_000)
    await putBack()
    world.line.loseTexts = false
    await world.pass(3 * MINUTE)
    expect(`${await onServer()} ${await revisions()}`).toContain('second')
  })

  test('may have lost what was stored here when a direct save was sent', async () => {
    const putBack = await backUpThenWrite()
    await goOnWithout(putBack)
    world.line.loseTexts = true
    await world.tab('other')
    const free = fillDisk()
    editor.type(' third')
    await world.pass(20_000)
    free()
    await tab.client.flush()
    world.line.loseTexts = false
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(`${await onServer()} ${await revisions()}`).toContain('first second')
  })

  test('may have lost what was stored here when it accepted a text that this device confirms by its key', async () => {
    const putBack = await backUpThenWrite()
    await putBack()
    world.line.loseTexts = true
    await world.tab('other')
    await world.pass(1_000)
    const free = fillDiskForHistories()
    await putBack()
    editor.type(' third')
    await world.pass(20_000)
    expect(await onServer()).toBe('first second third')
    world.line.loseAnswers = true
    editor.type(' fourth')
    await world.pass(2_000)
    expect(await onServer()).toBe('first second third fourth')
    world.line.loseAnswers = false
    free()
    await tab.client.flush()
    await world.pass(5_000)
    world.line.loseTexts = false
    await world.pass(3 * MINUTE)
    expect(editor.words).toBe('first second third fourth')
    expect(await onServer()).toBe('first second third fourth')
  })

  test('may have lost what a full disk could evict', async () => {
    const putBack = await backUpThenWrite()
    tab.kill()
    await putBack()
    world.line.loseTexts = true
    await world.tab('other')
    await world.pass(1_000)
    await world.database.articles.toCollection().modify((article) => {
      article.completed = 1
    })
    await evict(world.database)
    expect(
      (await world.database.docs.toArray()).map((row) => plainText(asDocument(readDoc(row).doc))),
    ).toEqual(['first second'])
  })

  test('loses no text to an older text that is stored late', async () => {
    const putBack = await backUpThenWrite()
    const [row] = await world.database.docs.toArray()
    const before = await knownEpoch(world.database)
    await goOnWithout(putBack)
    world.line.loseTexts = true
    tab.client.wake()
    await world.pass(11_000)
    expect(await knownEpoch(world.database)).not.toBe(before)
    const now = world.clock.now()
    const earlier = row && { ...readDoc(row), epoch: before }
    if (earlier) await storeTexts(world.database, [{ text: earlier, madeAt: now }], now)
    world.line.loseTexts = false
    editor.type(' third')
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
  })

  test('loses no text to an older response that is processed late', async () => {
    const putBack = await backUp()
    world.line.loseAnswers = true
    editor.type(' second')
    await world.pass(1_500)
    const [entry] = await world.database.outbox.toArray()
    const draft = await readDraft(world.database, world.article)
    const before = await knownEpoch(world.database)
    const answer = await article()
    expect(plainText(asDocument(answer.articleText ?? {}))).toBe('first second')
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(answer.textVersion)
    await hearOfHistory()
    const sent =
      entry?.kind === 'text' && draft
        ? { ...entry, payload: bodyOf(draft.doc), ifMatch: '"t0"', text: draft }
        : null
    if (sent) await settleAcknowledged(world.database, [{ sent, answer, epoch: before }], effects)
    world.line.loseAnswers = false
    editor.type(' third')
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('second third')
  })

  test('loses no text to a merge with an older text', async () => {
    const putBack = await backUpThenWrite()
    const [row] = await world.database.docs.toArray()
    const before = await knownEpoch(world.database)
    await goOnWithout(putBack)
    await hearOfHistory()
    if (row)
      await mergeWithServer(
        { database: world.database, userId: 'u1', effects },
        { ...readDoc(row), epoch: before },
      )
    editor.type(' third')
    await world.pass(3 * MINUTE)
    expect(await onServer()).toContain('of another history')
  })

  test('stores no older list that arrives late', async () => {
    const before = { ...(await article()), name: 'Before', version: 99 }
    const of = { listed: true, epoch: 'a history that is over' }
    await storeArticles(world.database, [before], of, effects)
    expect(await readArticleView(world.database, world.article)).toMatchObject({ name: 'Oats' })
  })

  test('applies a text once whose response was lost before the backup', async () => {
    world.line.loseAnswers = true
    editor.type(' second')
    await world.pass(1_500)
    const putBack = await backUp()
    world.line.loseAnswers = false
    await putBack()
    await world.pass(MINUTE)
    expect(await onServer()).toBe('first second')
    const stored = await world.api.db.selectFrom('article_revisions').selectAll().execute()
    expect(stored.map(({ text_version }) => text_version)).toEqual([1, 2, 3])
    expect(editor.words).toBe('first second')
  })

  test('loses no text to a page that cannot write on this device', async () => {
    const putBack = await backUpThenWrite()
    const { baseVersion } = (await world.database.drafts.get(world.article)) ?? {}
    loseConnection()
    const free = fillDisk()
    editor.type(' third')
    await goOnWithout(putBack)
    expect(await textVersion()).toBe(baseVersion)
    world.line.down = false
    await world.pass(20_000)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
    editor.type(' fourth')
    await world.pass(3_000)
    expect(await onServer()).toContain('fourth')
    free()
  })

  test('loses no text to the last request of a hidden page', async () => {
    const { editor: own, text } = await tab.edit(world.article)
    const putBack = await backUp()
    own.type(' second')
    await world.pass(2_000)
    await goOnWithout(putBack)
    own.type(' third')
    text.saveExitSnapshot()
    await world.settle()
    expect(await onServer()).toContain('of another history')
    await world.pass(MINUTE)
    expect(await onServer()).toContain('of another history')
    expect(await onServer()).toContain('third')
  })
})
