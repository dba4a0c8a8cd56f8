import { beforeEach, describe, expect, test } from 'vitest'
import { readArticleView } from './status/article-view.ts'
import { readSyncSummary } from './status/sync-summary.ts'
import { readDraft } from './store/draft-rows.ts'
import { errorBody } from './testing/test-server.ts'
import { createWorld, doc, type World } from './testing/test-world.ts'

/**
 * The path of edits from one editor to the server, under every fault that the network can have. The requests that the
 * server receives are compared line by line.
 */
let world: World

beforeEach(async () => {
  world = await createWorld()
  world.server.add('a1', doc('one'))
})

const view = async (id = 'a1') => {
  const found = await readArticleView(world.database, id)
  if (!found) throw new Error(`${id} is unknown`)
  return found
}

const editing = async (id = 'a1') => (await world.tab('tab')).edit(id)

describe('saving', () => {
  test('writes here within 150 ms and sends 1 s after the last change', {
    tags: ['@ED-21', '@ED-36', '@CN-06', '@SY-06', '@SY-07'],
  }, async () => {
    const { editor } = await editing()
    editor.type(' two')
    await world.pass(150)
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
    expect(await view()).toMatchObject({ saveLine: 'saving', warning: null })
    await world.pass(350)
    editor.type(' three')
    await world.pass(999)
    expect(world.server.patches()).toEqual([])
    await world.pass(1)
    expect(world.server.patches()).toEqual(['1500 PATCH a1 t1 "one two three" k1', '1500 200 t2'])
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('is shown as saving for 5 s after the last edit, and for at most 15 s during continuous typing', async () => {
    const { editor } = await editing()
    world.server.fates = ['never', 'never']
    editor.type(' two')
    await world.pass(1_500)
    expect(await view()).toMatchObject({ saveLine: 'saving', savingUntil: 5_000 })
    for (let second = 0; second < 14; second += 1) {
      editor.type('.')
      await world.pass(1_000)
    }
    expect(await view()).toMatchObject({ saveLine: 'saving', savingUntil: 15_000 })
    await world.pass(60_000)
    expect(await view()).toMatchObject({ saveLine: 'saved', savingUntil: null })
  })

  test('sends every 10 s while typing never pauses', { tags: ['@ED-21', '@Q43'] }, async () => {
    const { editor } = await editing()
    for (let second = 0; second < 24; second += 1) {
      editor.type('.')
      await world.pass(500)
    }
    const sent = world.server.patches().filter((line) => line.includes('PATCH'))
    expect(sent.map((line) => Number(line.split(' ')[0]))).toEqual([10_000])
  })

  test('sends nothing when an article is only opened, also an empty one', {
    tags: ['@ED-22', '@Q44', '@fault-50'],
  }, async () => {
    world.server.add('a2', {})
    const tab = await world.tab('tab')
    const first = await tab.edit('a1')
    const second = await tab.edit('a2')
    first.text.edited()
    second.text.edited()
    await world.pass(60_000)
    expect(world.server.patches()).toEqual([])
    expect(second.text.document).toEqual(doc(''))
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('sends nothing for edits that were undone before they were sent', {
    tags: ['@ED-22', '@fault-51'],
  }, async () => {
    const { editor, text } = await editing()
    editor.type(' two')
    await world.pass(500)
    expect(await view()).toMatchObject({ saveLine: 'saving' })
    editor.show(doc('one'))
    text.edited()
    await world.pass(30_000)
    expect(world.server.patches()).toEqual([])
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('sends the original text after a change that was undone while in flight', {
    tags: ['@SY-12', '@fault-51'],
  }, async () => {
    const { editor, text } = await editing()
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(1_000)
    editor.show(doc('one'))
    text.edited()
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one')
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('flushes and stops without losing what was just typed', { tags: ['@SY-05'] }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    editor.type(' two')
    await tab.client.stop()
    expect((await readDraft(world.database, 'a1'))?.doc).toEqual(doc('one two'))
    await world.pass(60_000)
    expect(world.server.patches()).toEqual([])
    await world.tab('next day')
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one two')
  })

  test('drains immediately on request', { tags: ['@SY-07'] }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    editor.type(' two')
    const drained = tab.client.drain(5_000)
    await world.pass(0)
    expect(world.server.words('a1')).toBe('one two')
    expect(await drained).toBe(true)
    world.server.offline = true
    editor.type(' three')
    const failed = tab.client.drain(5_000)
    await world.pass(5_000)
    expect(await failed).toBe(false)
  })
})

describe('faults of the network', () => {
  test('sends a lost request again with what was typed since, and nothing twice', {
    tags: ['@SY-08'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = ['lost', 'lost']
    editor.type(' two')
    await world.pass(1_000)
    editor.type(' three')
    await world.pass(10_000)
    expect(world.server.patches()).toEqual([
      '1000 PATCH a1 t1 "one two" k1',
      '1000 lost',
      '2000 PATCH a1 t1 "one two three" k2',
      '2000 lost',
      '4000 PATCH a1 t1 "one two three" k2',
      '4000 200 t2',
    ])
  })

  test('retries a lost request under its key while nothing was typed', {
    tags: ['@SY-08', '@fault-1'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = ['answer-lost', 'lost']
    editor.type(' two')
    await world.pass(10_000)
    expect(world.server.patches().filter((line) => line.includes('PATCH'))).toEqual([
      '1000 PATCH a1 t1 "one two" k1',
      '2000 PATCH a1 t1 "one two" k1',
      '4000 PATCH a1 t1 "one two" k1',
    ])
    expect(world.server.article('a1').textVersion).toBe(2)
  })

  test('is applied once when the response is lost', { tags: ['@SY-08', '@fault-2'] }, async () => {
    const { editor } = await editing()
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(5_000)
    expect(world.server.patches()).toEqual([
      '1000 PATCH a1 t1 "one two" k1',
      '1000 200 lost',
      '2000 PATCH a1 t1 "one two" k1',
      '2000 200 t2',
    ])
    expect(world.server.article('a1').textVersion).toBe(2)
  })

  test('is applied once when the key has expired before the retry', {
    tags: ['@SY-08', '@fault-8'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(1_000)
    world.server.forgetKeys()
    await world.pass(5_000)
    expect(world.server.article('a1').textVersion).toBe(2)
    expect(await view()).toMatchObject({ saveLine: 'saved' })
  })

  test('duplicates nothing when the key has expired and others wrote before the retry', {
    tags: ['@SY-08', '@fault-8'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(1_000)
    world.server.forgetKeys()
    world.server.change('a1', { text: doc('one two', 'theirs') })
    await world.pass(5_000)
    expect(world.server.words('a1')).toBe('one two\ntheirs')
    expect(editor.words).toBe('one two\ntheirs')
  })

  test('aborts a request after 20 s', { tags: ['@SY-08', '@Q93', '@fault-7'] }, async () => {
    const { editor } = await editing()
    world.server.fates = ['never']
    editor.type(' two')
    await world.pass(25_000)
    expect(world.server.patches()).toEqual([
      '1000 PATCH a1 t1 "one two" k1',
      '21000 timeout',
      '22000 PATCH a1 t1 "one two" k1',
      '22000 200 t2',
    ])
  })

  test('does not take a captive portal for the server', {
    tags: ['@SY-08', '@fault-5'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = [{ status: 200 }]
    editor.type(' two')
    await world.pass(1_500)
    expect(await view()).toMatchObject({
      saveLine: 'on-this-computer',
      warning: { kind: 'durable', lastSentAt: null },
    })
    expect(await readSyncSummary(world.database)).toMatchObject({
      connection: 'offline',
      waiting: 1,
    })
    await world.pass(1_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test.each([
    ['seconds', '7', 8_000],
    ['an absurd number, at most 5 minutes', '99999999', 301_000],
  ])('obeys Retry-After: %s', { tags: ['@SY-08'] }, async (_, retryAfter, expected) => {
    const { editor } = await editing()
    const headers = { 'Retry-After': retryAfter }
    world.server.fates = [{ status: 503, json: errorBody(503, 'Busy'), headers }]
    editor.type(' two')
    await world.pass(400_000)
    const sent = world.server.patches().filter((line) => line.includes('PATCH'))
    expect(sent.map((line) => Number(line.split(' ')[0]))).toEqual([1_000, expected])
  })

  test('sends other articles while the server keeps failing one', {
    tags: ['@SY-08', '@fault-10'],
  }, async () => {
    world.server.add('a2', doc('two'))
    world.server.always.set('a1', { status: 500, json: errorBody(500, 'Oops') })
    const tab = await world.tab('tab')
    const first = await tab.edit('a1')
    const second = await tab.edit('a2')
    first.editor.type(' kept')
    await world.pass(3_600_000)
    second.editor.type(' sent')
    await world.pass(2_000)
    expect(world.server.words('a2')).toBe('two sent')
    expect(await view('a2')).toMatchObject({ saveLine: 'saved', warning: null })
    expect(await view('a1')).toMatchObject({
      saveLine: 'on-this-computer',
      warning: { kind: 'durable' },
    })
    world.server.always.clear()
    await world.pass(30_000)
    expect(world.server.words('a1')).toBe('one kept')
  })

  test('keeps trying at most 30 s apart and sends at once when woken', {
    tags: ['@SY-08'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(120_000)
    const times = world.server
      .patches()
      .filter((line) => line.includes('PATCH'))
      .map((line) => Number(line.split(' ')[0]))
    expect(times.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 31_000])
    world.server.offline = false
    tab.client.wake()
    await world.pass(0)
    expect(world.server.words('a1')).toBe('one two')
  })

  test('takes a new key once when the server has the old one for another request', {
    tags: ['@SY-08', '@fault-9'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = [{ status: 422, json: errorBody(422, 'Key reused') }]
    editor.type(' two')
    await world.pass(1_000)
    expect(world.server.patches()).toEqual([
      '1000 PATCH a1 t1 "one two" k1',
      '1000 422',
      '1000 PATCH a1 t1 "one two" k2',
      '1000 200 t2',
    ])
  })

  test('sends after a restart what was in flight before', { tags: ['@SY-11'] }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.fates = ['answer-lost']
    editor.type(' two')
    await world.pass(1_000)
    tab.kill()
    expect(await view()).toMatchObject({ warning: { kind: 'durable' } })
    const next = await world.tab('next')
    await world.pass(1_000)
    expect((await next.edit('a1')).editor.words).toBe('one two')
    expect(world.server.article('a1').textVersion).toBe(2)
    expect(await view()).toMatchObject({ saveLine: 'saved', warning: null })
  })

  test('keeps everything and asks for a sign-in when the session is over', {
    tags: ['@ST-12'],
  }, async () => {
    const { editor } = await editing()
    world.server.signedOut = true
    editor.type(' two')
    await world.pass(60_000)
    expect(await view()).toMatchObject({
      saveLine: 'on-this-computer',
      warning: { kind: 'sign-in' },
    })
    expect(await readSyncSummary(world.database)).toMatchObject({ signInNeeded: true })
    world.server.signedOut = false
    await world.pass(30_000)
    expect(world.server.words('a1')).toBe('one two')
    expect(await readSyncSummary(world.database)).toMatchObject({ signInNeeded: false, waiting: 0 })
  })

  test('sends nothing under another user’s session', {
    tags: ['@SY-07', '@fault-37'],
  }, async () => {
    let user = 'u1'
    const tab = await world.tab('tab', { signedInUser: () => user })
    const { editor } = await tab.edit('a1')
    user = 'u2'
    editor.type(' two')
    await world.pass(120_000)
    expect(world.server.patches()).toEqual([])
    user = 'u1'
    await world.pass(30_000)
    expect(world.server.words('a1')).toBe('one two')
  })

  test('is not delayed for a day by a clock that was set back', {
    tags: ['@SY-08', '@fault-49'],
  }, async () => {
    const { editor } = await editing()
    world.server.fates = ['lost']
    editor.type(' two')
    await world.pass(1_000)
    await world.database.outbox.toCollection().modify({ dueAt: 86_400_000 })
    await world.pass(31_000)
    expect(world.server.words('a1')).toBe('one two')
  })
})

describe('the save-failed banner', { tags: ['@BA-06', '@Q45'] }, () => {
  test('appears with the first failed try and disappears with the response', {
    tags: ['@ED-23', '@ED-24', '@SY-09'],
  }, async () => {
    const { editor } = await editing()
    const seen: string[] = []
    const watch = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 150) {
        await world.pass(150)
        const { saveLine, warning } = await view()
        const line = `${saveLine}${warning ? ` ${warning.kind} ${warning.lastSentAt}` : ''}`
        if (seen.at(-1) !== line) seen.push(line)
      }
    }
    editor.type(' two')
    await watch(1_500)
    world.server.offline = true
    editor.type(' three')
    await watch(2_000)
    world.server.offline = false
    await watch(30_000)
    expect(seen).toEqual(['saving', 'saved', 'saving', 'on-this-computer durable 1000', 'saved'])
  })

  test('stays over typing, retries and a reload while nothing arrives', {
    tags: ['@ER-12'],
  }, async () => {
    const tab = await world.tab('tab')
    const { editor } = await tab.edit('a1')
    world.server.offline = true
    editor.type(' two')
    await world.pass(1_000)
    editor.type(' three')
    await world.pass(40_000)
    tab.kill()
    await world.tab('reloaded')
    await world.pass(5_000)
    expect(await view()).toMatchObject({
      warning: { kind: 'durable' },
      saveLine: 'on-this-computer',
    })
    expect(await world.database.outbox.count()).toBe(1)
  })

  test('shows nothing when offline without pending changes', async () => {
    const tab = await world.tab('tab')
    world.server.offline = true
    tab.client.wake()
    await world.pass(120_000)
    expect(await view()).toMatchObject({ warning: null, saveLine: 'saved' })
    expect(await readSyncSummary(world.database)).toMatchObject({
      connection: 'offline',
      waiting: 0,
    })
  })
})

describe('refusals', () => {
  test.each([
    [413, 'too-large'],
    [400, 'rejected'],
  ])(
    'keeps text that is refused with %i and reports it once',
    { tags: ['@ER-11'] },
    async (status, reason) => {
      const tab = await world.tab('tab')
      const { editor } = await tab.edit('a1')
      const told: unknown[] = []
      tab.client.onRefusal((refusal) => told.push(refusal))
      world.server.fates = [{ status, json: errorBody(status, 'No') }]
      editor.type(' two')
      await world.pass(120_000)
      expect(told).toEqual([{ articleId: 'a1', status, message: 'No', reason: null }])
      expect(await view()).toMatchObject({ blocked: { reason, words: 2 }, warning: null })
      expect(editor.words).toBe('one two')
      editor.type('.')
      await world.pass(1_000)
      expect(world.server.words('a1')).toBe('one two.')
      expect(await view()).toMatchObject({ blocked: null, saveLine: 'saved' })
    },
  )
})
