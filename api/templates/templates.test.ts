import { beforeEach, describe, expect, it } from 'vitest'
import type { ArticleText } from '../../domain/text/document.ts'
import type { ArticleListAnswer, ListedArticle } from '../../domain/wire/article-lists.ts'
import type { Template } from '../../domain/wire/templates.ts'
import { createTestApp, type TestApp, type TestUser } from '../testing/test-app.ts'

let app: TestApp
let admin: TestUser
let source: string

const KEYWORD = { keyword: 'path light', source: 'E', score: '4', category: 'Must Use' }
const OTHER = { ...KEYWORD, keyword: 'low voltage' }

const heading = (level: number, text: string) => ({
  type: 'heading',
  attrs: { level },
  content: [{ type: 'text', text }],
})
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const WRITTEN: ArticleText = {
  type: 'doc',
  content: [
    heading(1, 'Lights'),
    paragraph('Most garden lights are too bright.'),
    heading(3, 'At the door'),
    paragraph('It asks you to look.'),
  ],
}
/** The first text of an article with these headings. */
const OUTLINE = {
  type: 'doc',
  content: [
    heading(2, 'Lights'),
    { type: 'paragraph' },
    heading(3, 'At the door'),
    { type: 'paragraph' },
  ],
}

beforeEach(async () => {
  app = await createTestApp()
  admin = await app.user({ name: 'Clara Whitlock', role: 'admin' })
  source = (
    await app.article({
      name: 'A Quiet Guide',
      articleText: WRITTEN,
      wordMinimum: 900,
      keywordList: [KEYWORD],
    })
  ).id
  await plan('Write about prices.')
})

const plan = (brief: string) =>
  app.as(admin).put(`/v1/articles/${source}/plan`, { brief, dueOn: '2026-12-03' })
const save = async (name: string, articleId = source): Promise<Template> =>
  (await app.as(admin).post('/v1/templates', { name, articleId })).json()
const templates = async (): Promise<Template[]> =>
  (await (await app.as(admin).get('/v1/templates')).json()).results
const create = (templateId: string, given: object = {}) =>
  app.as(admin).post('/v1/articles', { name: 'New', wordMinimum: 700, templateId, ...given })
const contentOf = async (id: string) => {
  const { articleText, keywordList, wordMinimum } = await (
    await app.as(admin).get(`/v1/articles/${id}`)
  ).json()
  const { brief, dueOn } = await (await app.as(admin).get(`/v1/articles/${id}/plan`)).json()
  return { articleText, keywordList, wordMinimum, brief, dueOn }
}
const COPIED = {
  articleText: OUTLINE,
  keywordList: [KEYWORD],
  wordMinimum: 700,
  brief: 'Write about prices.',
  dueOn: null,
}

describe('templates', () => {
  it('copy brief, outline, minimum and entities of an article', async () => {
    const saved = await save(' Garden guide ')
    expect(saved).toEqual({
      id: saved.id,
      name: 'Garden guide',
      hasBrief: true,
      headings: 2,
      wordMinimum: 900,
      entities: 1,
      changedBy: { id: admin.id, name: 'Clara Whitlock' },
      changedAt: '2026-03-02T09:00:00.000Z',
    })
    await save('Bread')
    expect((await templates()).map(({ name }) => name)).toEqual(['Bread', 'Garden guide'])
  })

  it('one name is one template, whatever its case', async () => {
    const first = await save('Garden guide')
    await plan('')
    const second = await save('GARDEN GUIDE')
    expect(second).toMatchObject({ id: first.id, name: 'GARDEN GUIDE', hasBrief: false })
    expect(await templates()).toEqual([second])
  })

  it('are deleted and saved on record', async () => {
    const { id } = await save('Garden guide')
    expect((await app.as(admin).delete(`/v1/templates/${id}`)).status).toBe(204)
    expect((await app.as(admin).delete(`/v1/templates/${id}`)).status).toBe(404)
    const { results } = await (await app.as(admin).get('/v1/log?kind=changed&limit=2')).json()
    expect(
      results.map(({ action, subject }: { action: string; subject: object }) => [action, subject]),
    ).toEqual([
      ['template.deleted', { id, name: 'Garden guide' }],
      ['template.saved', { id, name: 'Garden guide' }],
    ])
  })

  it('are at most 200', async () => {
    for (let count = 0; count < 200; count += 1) await save(`Template ${count}`)
    const refused = await app.as(admin).post('/v1/templates', { name: 'More', articleId: source })
    expect([refused.status, (await refused.json()).reason]).toEqual([409, 'too_many_templates'])
    expect((await save('Template 7')).name).toBe('Template 7')
  })

  it('come from an article that is there', async () => {
    await app.as(admin).delete(`/v1/articles/${source}`)
    const answer = await app.as(admin).post('/v1/templates', { name: 'New', articleId: source })
    expect(answer.status).toBe(404)
  })
})

describe('a new article', () => {
  it('begins with the template, and keeps what it began with', async () => {
    const { id: templateId } = await save('Garden guide')
    const { id } = await (await create(templateId)).json()
    expect(await contentOf(id)).toEqual(COPIED)
    await plan('Write about stone.')
    await app.as(admin).patch(`/v1/articles/admin/${source}`, { keywordList: [OTHER] })
    await save('Garden guide')
    expect(await contentOf(id)).toEqual(COPIED)
    await app.as(admin).delete(`/v1/templates/${templateId}`)
    expect(await contentOf(id)).toEqual(COPIED)
  })

  it('keeps the text that it is created with', async () => {
    const { id: templateId } = await save('Garden guide')
    const { id } = await (await create(templateId, { articleText: WRITTEN })).json()
    expect((await contentOf(id)).articleText).toEqual(WRITTEN)
  })

  it('is refused for a template that is gone', async () => {
    const { id } = await save('Garden guide')
    await app.as(admin).delete(`/v1/templates/${id}`)
    const refused = await create(id)
    expect([refused.status, (await refused.json()).reason]).toEqual([400, 'template_gone'])
  })

  it('without a template is as before', async () => {
    const body = { name: 'New', wordMinimum: 700 }
    const { id } = await (await app.as(admin).post('/v1/articles', body)).json()
    expect(await contentOf(id)).toMatchObject({ articleText: {}, keywordList: [], brief: '' })
  })
})

describe('a list', () => {
  const send = async (articles: ListedArticle[], given: object) => {
    const answer = await app.as(admin).post('/v1/articles/list', { articles, ...given })
    return [answer.status, await answer.json()] as const
  }
  const dryRun = async (articles: ListedArticle[]): Promise<ArticleListAnswer> =>
    (await send(articles, { dryRun: true }))[1]

  it('gives new articles what their entry leaves to the template', async () => {
    await save('Garden guide')
    const articles = [
      { name: 'One', template: 'garden GUIDE' },
      { name: 'Two', template: 'Garden guide', brief: 'Its own.', wordMinimum: 0 },
    ]
    const { plan: planned, articles: dry } = await dryRun(articles)
    expect(dry).toMatchObject([
      { state: 'new', wordMinimum: 900, entities: 1, headings: 2 },
      { state: 'new', wordMinimum: 0, entities: 1, headings: 2 },
    ])
    const [, ran] = await send(articles, { dryRun: false, plan: planned })
    const [one, two] = (ran as ArticleListAnswer).articles
    expect(await contentOf(one?.id ?? '')).toEqual({ ...COPIED, wordMinimum: 900 })
    expect(await contentOf(two?.id ?? '')).toEqual({
      ...COPIED,
      wordMinimum: 0,
      brief: 'Its own.',
    })
  })

  it('leaves out a new article whose template is not there, and no other', async () => {
    const { articles } = await dryRun([{ name: 'One', template: 'Bread' }, { name: 'Two' }])
    expect(articles).toMatchObject([
      { state: 'cannot', fault: 'no-template' },
      { state: 'new', fault: null },
    ])
  })

  it('changes no article that is there', async () => {
    await save('Garden guide')
    await app.as(admin).put(`/v1/articles/${source}/plan`, { brief: 'Later.', dueOn: null })
    const { articles } = await dryRun([{ name: 'A Quiet Guide', template: 'Garden guide' }])
    expect(articles).toMatchObject([{ state: 'same' }])
  })

  it('does not run when the template changed after the dry run', async () => {
    await save('Garden guide')
    const articles = [{ name: 'One', template: 'Garden guide' }]
    const { plan: planned } = await dryRun(articles)
    await plan('Write about stone.')
    app.clock.advance(1)
    await save('Garden guide')
    const [status, body] = await send(articles, { dryRun: false, plan: planned })
    expect([status, (body as { reason?: string }).reason]).toEqual([409, 'stale_plan'])
  })
})
