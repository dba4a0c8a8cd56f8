import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../domain/wire/users.ts'
import { ADMIN, type Nodes, nodesOverPostgres } from './black-box/nodes.ts'

let nodes: Nodes

beforeEach(async () => {
  nodes = await nodesOverPostgres()
})
afterEach(() => nodes.end())

describe('nodes over one PostgreSQL', () => {
  it('start at once with one first admin, share sessions and their end, and stop one after the other', async () => {
    const [first, second] = await Promise.all([nodes.start(), nodes.start()])
    const { tokens } = (await (await first.post('/auth/login', ADMIN)).json()) as Session
    const bearer = `Bearer ${tokens.access.token}`
    expect((await second.articles(bearer)).status).toBe(200)
    expect(await first.stop()).toBe(0)
    expect((await second.articles(bearer)).status).toBe(200)
    const third = await nodes.start()
    await third.post('/auth/logout', { refreshToken: tokens.refresh.token })
    expect((await second.articles(bearer)).status).toBe(401)
    expect(await second.stop()).toBe(0)
  })

  it('are looked at by the doctor and served by commands while they run; no backup file is put there', async () => {
    await nodes.start()
    const doctor = nodes.launch('doctor.js')
    expect([await doctor.exited, doctor.output()]).toEqual([
      0,
      expect.stringMatching(/^ok +database +PostgreSQL \d+[\s\S]*ok +tables +of this release/),
    ])
    const signOut = nodes.launch('admin.js', ['sign-out', ADMIN.email])
    expect([await signOut.exited, signOut.output()]).toEqual([
      0,
      expect.stringContaining('logged out'),
    ])
    const restore = nodes.launch('restore.js', ['latest'])
    expect([await restore.exited, restore.output()]).toEqual([
      1,
      expect.stringContaining('pg_restore'),
    ])
  })

  it('are refused where their peppers differ', async () => {
    const first = await nodes.start()
    const other = nodes.launch('start.js', [], {
      PASSWORD_PEPPER: 'a pepper that this node alone has',
      LOG_LEVEL: 'silent',
    })
    expect([await other.exited, other.output()]).toEqual([
      1,
      expect.stringMatching(/^PASSWORD_PEPPER is not the one that the passwords were made with/),
    ])
    await first.stop()
  })

  it('start with no secret of their own, and say in one line where PostgreSQL is not', async () => {
    const lonely = nodes.launch('start.js', [], { JWT_SECRET: undefined })
    expect(await lonely.exited).toBe(1)
    // Output and errors use two streams, so their order varies.
    expect(lonely.output().split('\n')).toContain(
      'JWT_SECRET must be set where DATABASE_URL is postgres, the same for every node',
    )
    for (const [script, ...words] of [['start.js'], ['admin.js', 'log']] as const) {
      const lost = nodes.launch(script, words, {
        DATABASE_URL: 'postgres://contun@127.0.0.1:1/contun',
        LOG_LEVEL: 'silent',
      })
      expect([await lost.exited, lost.output()]).toEqual([
        1,
        'DATABASE_URL: PostgreSQL cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
      ])
    }
  })
})
