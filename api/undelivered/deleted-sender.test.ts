import { expect, it } from 'vitest'
import { createTestApp, TEST_PASSWORD } from '../testing/test-app.ts'

const text = { type: 'doc', content: [{ type: 'horizontalRule' }] }
const person = { name: 'New', email: 'new@contun.example', password: TEST_PASSWORD }

it.each([
  ['POST', '/articles', { name: 'New', wordMinimum: 0 }],
  ['PATCH', '/articles/:article', { articleText: text }],
  ['PATCH', '/articles/admin/:article', { name: 'New' }],
  ['POST', '/clients', { name: 'New' }],
  ['PATCH', '/clients/:client', { name: 'New' }],
  ['POST', '/users', person],
  ['PATCH', '/users/:user', { name: 'New' }],
  ['PATCH', '/users/:user', { password: 'another river of ink' }],
])(
  '%s %s writes nothing when its sender is deleted while %j comes in',
  { tags: ['@Q57'] },
  async (method, path, body) => {
    const app = await createTestApp()
    const admin = await app.user({ role: 'admin' })
    const ids: Record<string, string> = {
      ':user': (await app.user({ role: 'admin' })).id,
      ':client': (await app.client()).id,
      ':article': (await app.article()).id,
    }
    const { access } = await app.signIn(admin)
    // Called when the body is read, which is after the token was checked.
    const pull = async (controller: ReadableStreamDefaultController) => {
      await app.db.deleteFrom('users').where('id', '=', admin.id).execute()
      controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
      controller.close()
    }
    const answer = await app.app.request(`/v1${path.replace(/:\w+/, (name) => ids[name] ?? '')}`, {
      method,
      headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(401)
    const everything = await Promise.all(
      (['articles', 'article_revisions', 'clients', 'users', 'audit'] as const).map((table) =>
        app.db.selectFrom(table).selectAll().execute(),
      ),
    )
    expect(everything.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 0])
    expect(JSON.stringify(everything)).not.toMatch(/New|horizontalRule/)
  },
)
