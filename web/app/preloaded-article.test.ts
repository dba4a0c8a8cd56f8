import { expect, test } from 'vitest'
import type { OpenText } from '../../sync/editing/editor-session.ts'
import type { ArticleView } from '../../sync/status/article-view.ts'
import type { SyncClient } from '../../sync/sync-client.ts'
import { createPreloadedArticle } from './preloaded-article.ts'

/** A client whose texts record what became of them, and a clock that moves only on request. */
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
  const preloaded = createPreloadedArticle({
    after(_ms, task) {
      due.push(task)
      return () => {}
    },
  })
  const passTime = async () => {
    for (const task of due) task()
    await Promise.resolve()
  }
  return { client, preloaded, opened, closed, passTime }
}

test('a preloaded text is for the first page of its article alone', { tags: ['@Q8'] }, async () => {
  const { client, preloaded, opened, closed, passTime } = world()
  void preloaded.open(client, 'a1')
  expect(preloaded.take(client, 'a2')).toBeNull()
  expect(preloaded.take({ ...client }, 'a1')).toBeNull()
  expect(await preloaded.take(client, 'a1')).not.toBeNull()
  expect(preloaded.take(client, 'a1')).toBeNull()
  await passTime()
  expect({ opened, closed }).toEqual({ opened: ['a1'], closed: [] })
})

test('a page that is drawn after the load has text and article at once, and can close the text', async () => {
  const { client, preloaded } = world()
  const opening = preloaded.open(client, 'a1')
  expect(preloaded.opened(client, 'a1')).toBeNull()
  await opening
  const first = preloaded.opened(client, 'a1')
  expect(first).toMatchObject({ text: { close: expect.any(Function) }, view: { id: 'a1' } })
  expect(preloaded.opened(client, 'a2')).toBeNull()
  expect(await preloaded.take(client, 'a1')).toBe(first?.text)
  expect(preloaded.opened(client, 'a1')).toBeNull()
})

test('a page that asks first opens its text itself', () => {
  const { client, preloaded, opened } = world()
  expect(preloaded.take(client, 'a1')).toBeNull()
  void preloaded.open(client, 'a1')
  expect(opened).toEqual([])
  expect(preloaded.take(client, 'a1')).toBeNull()
})

test('a text that no page takes is closed', async () => {
  const { client, preloaded, closed, passTime } = world()
  void preloaded.open(client, 'a1')
  await passTime()
  expect(closed).toEqual(['a1'])
  expect(preloaded.take(client, 'a1')).toBeNull()
})
