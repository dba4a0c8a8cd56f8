import { describe, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { createTestApp } from '../testing/test-app.ts'

const token = 'only-the-monitor-knows'
const headers = { authorization: `Bearer ${token}` }

describe('metrics', () => {
  it('do not exist without a token in the settings', async () => {
    const { app } = await createTestApp()
    expect((await app.request('/metrics', { headers })).status).toBe(404)
  })

  it.each([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer something else' }],
    ['the token alone', { authorization: token }],
  ])('are refused to a request that sends %s', async (_, wrong) => {
    const { deps } = await createTestApp({ config: { metricsToken: token } })
    const answer = await createApp(deps).request('/metrics', { headers: wrong })
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain('contun_')
  })

  it('count requests by route, without any request data', async () => {
    const app = await createTestApp({
      config: { metricsToken: token },
      deps: { backupAge: () => 90_000 },
    })
    const writer = await app.user()
    const { id } = await app.article({ client: await app.client({ users: [writer] }) })
    for (let times = 0; times < 3; times += 1) await app.as(writer).get(`/v1/articles/${id}`)
    await app.as(writer).get('/v1/articles/secret-id')
    await app.as(null).post('/v1/auth/login', { email: writer.email, password: 'secret-word' })
    await app.app.request('/secret-path', { method: 'SECRET-VERB' })
    const answer = await createApp(app.deps).request('/metrics', { headers })
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const labels = 'method="GET",route="/v1/articles/:id",status="200"'
    expect(text).toContain(`contun_http_request_duration_seconds_count{${labels}} 3\n`)
    expect(text).toContain(`contun_http_request_duration_seconds_bucket{${labels},le="0.005"} 3\n`)
    expect(text).toContain('route="/v1/auth/login",status="401"')
    for (const gauge of [
      'build_info{version="1.2.3"} 1',
      'backup_age_seconds 90',
      'open_streams 0',
      'change_seq 1',
      'mails_waiting 0',
      'database_damaged 0',
      'password_jobs 0',
      'pressure 0',
    ]) {
      expect(text).toContain(`\ncontun_${gauge}\n`)
    }
    expect(text).not.toMatch(/secret/i)
    expect(text).not.toContain(id)
    // Every line is what Prometheus reads.
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/)
    }
  })

  it('report what they can when the database is unavailable', async () => {
    const { deps, db } = await createTestApp({ config: { metricsToken: token } })
    const read = async () => (await createApp(deps).request('/metrics', { headers })).text()
    // Opens the connection: an unused one would be opened by the next read only.
    expect(await read()).toContain('contun_change_seq')
    await db.destroy()
    const text = await read()
    expect(text).toContain('contun_memory_bytes')
    expect(text).not.toContain('contun_change_seq')
  })
})
