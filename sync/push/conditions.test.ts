import { beforeEach, describe, expect, test } from 'vitest'
import { startEpoch } from '../../api/audit/new-epoch.ts'
import { plainText } from '../../domain/text/article-text.ts'
import { asDocument } from '../../domain/text/document.ts'
import { fetchOverwritten } from '../editing/overwritten-texts.ts'
import { readRemoteChanges } from '../editing/remote-changes.ts'
import type { Send } from '../ports.ts'
import { addressOf } from '../protocol/address.ts'
import { readArticleView } from '../status/article-view.ts'
import { enterEpoch } from '../store/epoch.ts'
import { type AgencyWorld, createAgencyWorld, type OnTheWay } from '../testing/test-agency.ts'
import { doc, type FakeEditor, type Tab } from '../testing/test-world.ts'

/** A save never replaces a text that its writer has not seen, whatever proxies do to the request. */

const MINUTE = 60_000

let world: AgencyWorld
let tab: Tab
let editor: FakeEditor

beforeEach(async () => {
  world = await createAgencyWorld()
  tab = await world.tab('tab')
  await world.pass(1_000)
  editor = (await tab.edit(world.article)).editor
  editor.type('First.')
  await world.pass(2_000)
})

async function onServer(): Promise<string> {
  const row = await world.api.db
    .selectFrom('articles')
    .select('article_text')
    .where('id', '=', world.article)
    .executeTakeFirstOrThrow()
  return plainText(asDocument(JSON.parse(row.article_text)))
}

/** The page types while no request gets through, and another user saves in between. */
async function bothWrite(): Promise<void> {
  world.line.down = true
  world.line.cut()
  editor.type(' Mine.')
  await world.pass(5_000)
  await world.write(world.admin, doc('First.', 'Hers.'))
  world.line.down = false
}

const withoutHeader =
  (name: string) =>
  ({ address, headers }: OnTheWay): OnTheWay => {
    const { [name]: _, ...others } = headers
    return { address, headers: others }
  }

/** Also from the address: like a proxy that strips query strings. */
const withoutCondition = (request: OnTheWay): OnTheWay => {
  const { address, headers } = withoutHeader('If-Match')(request)
  return { address: address.replace(/\?.*/, ''), headers }
}

const reasons = async () => {
  const rows = world.api.db.selectFrom('article_revisions').select('reason').orderBy('text_version')
  return (await rows.execute()).map(({ reason }) => reason)
}

describe('two writers, and a middlebox strips If-Match', { tags: ['@fault-71'] }, () => {
  test('the condition arrives in the address', { tags: ['@SY-11'] }, async () => {
    world.line.rewrite = withoutHeader('If-Match')
    await bothWrite()
    tab.client.wake()
    await world.pass(MINUTE)
    expect(await onServer()).toBe('First. Mine.\nHers.')
    expect(editor.words).toBe('First. Mine.\nHers.')
    expect(await reasons()).toEqual(['created', 'autosave', 'plain', 'merge'])
  })

  test.each([
    ['its answer arrives', false],
    ['its answer is lost', true],
  ])(
    'where the query parameter is stripped too, overwritten text is restored and shown: %s',
    async (_, isLost) => {
      await bothWrite()
      world.line.rewrite = withoutCondition
      world.line.loseAnswers = isLost
      tab.client.wake()
      await world.pass(isLost ? 1_000 : 0)
      world.line.loseAnswers = false
      await world.pass(MINUTE)
      expect(await onServer()).toBe('First. Mine.\nHers.')
      expect(editor.words).toBe('First. Mine.\nHers.')
      const [seen] = [await readRemoteChanges(world.database, world.article)]
      expect(seen?.kinds).toMatchObject({ merged: [{ id: world.admin.id }] })
      expect(await readArticleView(world.database, world.article)).toMatchObject({
        saveLine: 'saved',
      })
    },
  )

  test('overwritten text is restored also where the server was restored from a backup before', async () => {
    await bothWrite()
    await world.api.db
      .transaction()
      .execute((transaction) =>
        startEpoch({ ...world.api.deps, newId: () => 'another' }, transaction),
      )
    const { headers } = await world.api.as(world.writer).get(`/v1/articles/${world.article}`)
    await enterEpoch(world.database, headers.get('server-epoch') ?? '')
    world.line.rewrite = withoutCondition
    tab.client.wake()
    await world.pass(MINUTE)
    expect(await onServer()).toBe('First. Mine.\nHers.')
    expect(editor.words).toBe('First. Mine.\nHers.')
  })

  test('while the overwritten text cannot be read, the save is checked again', async () => {
    await bothWrite()
    world.line.rewrite = withoutCondition
    world.line.denyRevisions = true
    tab.client.wake()
    await world.pass(MINUTE)
    expect(await onServer()).toBe('First. Mine.')
    expect((await readArticleView(world.database, world.article))?.saveLine).not.toBe('saved')
    world.line.denyRevisions = false
    await world.pass(6 * MINUTE)
    expect(await onServer()).toBe('First. Mine.\nHers.')
  })

  test('a keepalive save has its condition in the address too', async () => {
    world.line.rewrite = withoutHeader('If-Match')
    await bothWrite()
    tab.client.saveExitSnapshot()
    await world.pass(MINUTE)
    expect(await onServer()).toBe('First. Mine.\nHers.')
  })

  test.each([
    ['nothing else', []],
    ['what another writer saved before it', ['before']],
    ['what another writer saved after it', ['after']],
    ['what another writer saved before and after it', ['before', 'after']],
  ])('a failed save that arrives after the keepalive save loses no text: %s', async (_, others) => {
    world.line.rewrite = withoutCondition
    world.line.down = true
    editor.type(' Mine.')
    await world.pass(1_500)
    const hers = others.includes('before') ? ['Hers.'] : []
    if (hers.length > 0) await world.write(world.admin, doc('First.', ...hers))
    editor.type(' More.')
    world.line.down = false
    tab.client.saveExitSnapshot()
    await world.settle()
    expect(await onServer()).toBe('First. Mine. More.')
    if (others.includes('after')) await world.write(world.admin, doc('Then.', await onServer()))
    await world.pass(MINUTE)
    const then = others.includes('after') ? ['Then.'] : []
    const all = [...then, 'First. Mine. More.', ...hers].join('\n')
    expect([await onServer(), editor.words]).toEqual([all, all])
    expect(await readArticleView(world.database, world.article)).toMatchObject({
      saveLine: 'saved',
    })
  })

  test('so does text that this device cannot store, and what it overwrote is restored', async () => {
    const hook = world.database.drafts.hook('updating')
    const full = (change: object) => {
      if ('hash' in change) throw new Error('QuotaExceededError')
    }
    hook.subscribe(full)
    await bothWrite()
    expect(world.database.unsaved.of(world.article)).toMatchObject({ kind: 'memory' })
    world.line.rewrite = withoutCondition
    tab.client.wake()
    await world.pass(20_000)
    expect(await onServer()).toBe('First. Mine.\nHers.')
    expect(editor.words).toBe('First. Mine.\nHers.')
    hook.unsubscribe(full)
    await world.pass(MINUTE)
    expect([await onServer(), editor.words]).toEqual(['First. Mine.\nHers.', 'First. Mine.\nHers.'])
  })
})

describe('a save without a response, and a node that does not know the names of earlier saves', () => {
  const unnamed = (request: OnTheWay): OnTheWay => {
    const { address, headers } = withoutHeader('Contun-Supersedes')(request)
    const { pathname, searchParams } = new URL(address, 'http://server')
    searchParams.delete('Contun-Supersedes')
    return { address: `${pathname}?${searchParams}`, headers }
  }

  async function typeOn(): Promise<() => void> {
    const { rewrite } = world.line
    world.line.loseAnswers = true
    editor.type(' Mi')
    await world.pass(1_500)
    editor.type('ne.')
    world.line.loseAnswers = false
    world.line.rewrite = unnamed
    await world.pass(20_000)
    expect(editor.words).toBe('First. Mine.')
    return () => {
      world.line.rewrite = rewrite
    }
  }

  test('waits for a node that does, so that nothing is there twice', async () => {
    const updateNode = await typeOn()
    updateNode()
    await world.pass(MINUTE)
    expect([await onServer(), editor.words]).toEqual(['First. Mine.', 'First. Mine.'])
  })

  test('is merged after a quarter of an hour where there is no other', async () => {
    await typeOn()
    await world.pass(30 * MINUTE)
    expect(await onServer()).toContain('First. Mine.')
    expect(await readArticleView(world.database, world.article)).toMatchObject({
      saveLine: 'saved',
    })
  })
})

describe('text that this device cannot store, and a hidden page', {
  tags: ['@fault-71'],
}, () => {
  test.each([
    ['the database takes them again later', 20_000, ''],
    ['the database takes them again at once', 0, ''],
    ['the user types on, and the database takes them again at once', 0, ' Then.'],
  ])(
    'overwritten text is restored where an older save arrives after the keepalive save: %s',
    async (_, ms, then) => {
      const hook = world.database.drafts.hook('updating')
      const full = (change: object) => {
        if ('hash' in change) throw new Error('QuotaExceededError')
      }
      hook.subscribe(full)
      await bothWrite()
      expect(world.database.unsaved.of(world.article)).toMatchObject({ kind: 'memory' })
      world.line.rewrite = withoutCondition
      editor.type(' More.')
      tab.client.saveExitSnapshot()
      await world.settle()
      expect(await onServer()).toBe('First. Mine. More.')
      if (then !== '') editor.type(then)
      if (ms > 0) tab.client.wake()
      await world.pass(ms)
      hook.unsubscribe(full)
      tab.client.wake()
      await world.pass(MINUTE)
      const all = `First. Mine. More.${then}\nHers.`
      expect([await onServer(), editor.words]).toEqual([all, all])
    },
  )
})

test('a text that one save overwrote twice under two keys is not based on that save', async () => {
  const revision = (textVersion: number) => ({
    textVersion,
    revision: `r${textVersion}`,
    articleText: doc(`text ${textVersion}`),
    author: null,
    reason: 'autosave',
    words: 2,
    createdAt: new Date(0).toISOString(),
  })
  const send: Send = async ({ path }) => ({
    status: 200,
    json: revision(Number(path.split('/').at(-1))),
    header: () => null,
  })
  const replaced = { textVersion: 4, revision: 'r4' }
  const save = { textVersion: 5, revision: 'r5' }
  const saves = [
    { key: 'r3', textVersion: 3, revision: 'r3' },
    { key: 'again', ...save },
    { key: 'r5', ...save, replaced },
  ]
  const sent = { key: 'now', ifMatch: '"v1.t2-r_r2"', unconfirmed: ['r3', 'again', 'r5'] }
  const [lost] = (await fetchOverwritten(send, 'a1', sent, saves)) ?? []
  expect([lost?.text.doc, lost?.from]).toEqual([doc('text 4'), doc('text 3')])
})

describe('a page that only saved directly, and was closed while responses were lost', () => {
  test('its own earlier saves are no overwritten texts for the next page', async () => {
    const hook = world.database.drafts.hook('updating')
    const full = (change: object) => {
      if ('hash' in change) throw new Error('QuotaExceededError')
    }
    hook.subscribe(full)
    editor.type(' Two, unfin')
    await world.pass(3_000)
    expect(await onServer()).toBe('First. Two, unfin')
    world.line.loseAnswers = true
    editor.type('ished.')
    tab.client.saveExitSnapshot()
    await world.pass(3_000)
    expect(await onServer()).toBe('First. Two, unfinished.')
    world.line.down = true
    editor.type(' Three.')
    tab.client.saveExitSnapshot()
    tab.kill()
    hook.unsubscribe(full)
    world.line.down = false
    world.line.loseAnswers = false
    await world.tab('next')
    await world.pass(MINUTE)
    expect(await onServer()).toBe('First. Two, unfinished. Three.')
    const texts = world.api.db.selectFrom('article_revisions').select('article_text')
    expect(
      (await texts.execute()).map((row) => plainText(asDocument(JSON.parse(row.article_text)))),
    ).toEqual([
      '',
      'First.',
      'First. Two, unfin',
      'First. Two, unfinished.',
      'First. Two, unfinished. Three.',
    ])
  })
})

describe('the server was restored from a disk snapshot without a new epoch', {
  tags: ['@fault-72'],
}, () => {
  const TABLES = ['articles', 'article_revisions', 'idempotency', 'changes', 'meta'] as const

  async function snapshot(): Promise<() => Promise<void>> {
    const { db } = world.api
    const kept = await Promise.all(
      TABLES.map((table) => db.selectFrom(table).selectAll().execute()),
    )
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
    }
  }

  test.each([0, 1, 2, 3, 4])(
    '%i later saves of another user are not overwritten, and all clients converge',
    async (saves) => {
      const back = await snapshot()
      for (const words of [' Two.', ' Three.', ' Four.']) {
        editor.type(words)
        await world.pass(3_000)
      }
      world.line.down = true
      world.line.cut()
      await back()
      const hers = ['Hers.', 'Hers, too.', 'Hers, three.', 'All hers.'].slice(0, saves)
      for (const words of hers) await world.write(world.admin, doc('First.', words))
      editor.type(' Five.')
      await world.pass(3_000)
      world.line.down = false
      tab.client.wake()
      await world.pass(2 * MINUTE)
      const text = await onServer()
      expect(text).toContain('Five.')
      expect(text).toContain(hers.at(-1) ?? '')
      expect(editor.words).toBe(text)
      const kept = (await world.database.localRevs.toArray()).map((row) =>
        plainText(asDocument(row.doc)),
      )
      expect(`${text} ${kept}`).toContain('Four.')
      expect(await readArticleView(world.database, world.article)).toMatchObject({
        saveLine: 'saved',
      })
    },
  )
})

describe('the address of a request', () => {
  const headers = { 'If-Match': '"v3.t2-r_k"', 'Idempotency-Key': 'k 1', Prefer: 'return=minimal' }
  test.each([
    ['PATCH', '/articles/a1?Idempotency-Key=k%201&If-Match=%22v3.t2-r_k%22&Contun-Knows=links'],
    ['POST', '/articles/a1?Idempotency-Key=k%201&If-Match=%22v3.t2-r_k%22'],
    ['GET', '/articles/a1'],
  ] as const)('%s says %s', (method, address) => {
    expect(addressOf({ method, path: '/articles/a1', headers })).toBe(address)
  })

  test('says of a batch what the page knows, for no change in it can', () => {
    expect(addressOf({ method: 'PATCH', path: '/articles', body: '{}' })).toBe(
      '/articles?Contun-Knows=links',
    )
  })

  test('of a request that does not name it is its path', () => {
    expect(addressOf({ method: 'PATCH', path: '/users/u1', body: '{}' })).toBe('/users/u1')
  })
})
