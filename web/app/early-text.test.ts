import { expect, test } from 'vitest'
import type { OpenText } from '../../sync/editing/tracked-text.ts'
import type { ArticleView } from '../../sync/status/views.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { createEarlyText } from './early-text.ts'

/** A client whose texts say what became of them, and a clock that only moves when told. */
function world() {
  const opened: string[] = []
  const closed: string[] = []
  const due: (() => void)[] = []
  const client = {
    async open(articleId: string) {
      opened.push(articleId)
      const close = async () => void closed.push(articleId)
      return { close } as Partial<OpenText>
    },
    view: async (articleId: string) => ({ id: articleId }) as Partial<ArticleView>,
  } as SyncClient
  const early = createEarlyText({
    after(_ms, task) {
      due.push(task)
      return () => {}
    },
  })
  const passTime = async () => {
    for (const task of due) task()
    await Promise.resolve()
  }
  return { client, early, opened, closed, passTime }
}

test('Q8 a text that was opened early is for the first page of its article alone', async () => {
  const { client, early, opened, closed, passTime } = world()
  void early.open(client, 'a1')
  expect(early.take(client, 'a2')).toBeNull()
  expect(early.take({ ...client }, 'a1')).toBeNull()
  expect(await early.take(client, 'a1')).not.toBeNull()
  expect(early.take(client, 'a1')).toBeNull()
  await passTime()
  expect({ opened, closed }).toEqual({ opened: ['a1'], closed: [] })
})

test('a page that is drawn when all is here has text and article at once, and the text to give back', async () => {
  const { client, early } = world()
  const opening = early.open(client, 'a1')
  expect(early.opened(client, 'a1')).toBeNull()
  await opening
  const first = early.opened(client, 'a1')
  expect(first).toMatchObject({ text: { close: expect.any(Function) }, view: { id: 'a1' } })
  expect(early.opened(client, 'a2')).toBeNull()
  expect(await early.take(client, 'a1')).toBe(first?.text)
  expect(early.opened(client, 'a1')).toBeNull()
})

test('a page that asks first opens its text itself', () => {
  const { client, early, opened } = world()
  expect(early.take(client, 'a1')).toBeNull()
  void early.open(client, 'a1')
  expect(opened).toEqual([])
  expect(early.take(client, 'a1')).toBeNull()
})

test('a text that nobody came for is closed', async () => {
  const { client, early, closed, passTime } = world()
  void early.open(client, 'a1')
  await passTime()
  expect(closed).toEqual(['a1'])
  expect(early.take(client, 'a1')).toBeNull()
})
