import Sqlite from '../../api/database/sqlite/better-sqlite3.ts'
import { kyselyOver } from '../../api/database/sqlite/sqlite.ts'
import type { Database, Deps } from '../../api/deps.ts'
import { createTestApp, type TestUser } from '../../api/testing/test-app.ts'
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  openForTest,
  templateAt,
} from '../../api/testing/test-database.ts'
import type { TestPostgres } from '../../api/testing/test-postgres.ts'

/** Where the rows of the server are; in memory when there is none. */
export type PushLoop = TestPostgres

/** Users and articles in a migrated database that is kept, so that no schedule pays for creating them. */
export type ServerImage = {
  deps: Deps
  admin: TestUser
  writers: readonly [TestUser, TestUser]
  clientId: string
  articles: readonly string[]
  /** A database of its own that starts as the image. */
  open(): Promise<OpenImage>
}

type OpenImage = { db: Database; close(): Promise<void> }
/** A database to be filled; from `keep` on it is copied. */
type Negative = { db: Database; keep(): Promise<ServerImage['open']> }

const images = new Map<string, Promise<ServerImage>>()

/** Created once for every number of articles and each engine. */
export function imageWith(articleCount: number, engine?: PushLoop): Promise<ServerImage> {
  const name = `${articleCount} ${engine?.url}`
  const image = images.get(name) ?? makeImage(articleCount, engine)
  images.set(name, image)
  return image
}

/** Short, so that tokens expire in the middle of a schedule. */
const ACCESS_TOKEN_MINUTES = 1

async function makeImage(articleCount: number, engine?: PushLoop): Promise<ServerImage> {
  const { db, keep } = engine ? await inPostgres(engine) : inMemory()
  const world = await createTestApp({
    db,
    config: { accessTokenMinutes: ACCESS_TOKEN_MINUTES },
    deps: {
      passwords: { hash: async () => 'nobody signs in by password', verify: async () => 'wrong' },
    },
  })
  const admin = await world.user({ name: 'Oona Vale', role: 'admin' })
  const writers = [
    await world.user({ name: 'Imogen Hale' }),
    await world.user({ name: 'Piers Lowell' }),
  ] as const
  const client = await world.client({ users: [...writers] })
  const articles: string[] = []
  for (let made = 1; made <= articleCount; made++) {
    articles.push((await world.article({ name: `Article ${made}`, client })).id)
  }
  const open = await keep()
  return { deps: world.deps, admin, writers, clientId: client.id, articles, open }
}

function inMemory(): Negative {
  const sqlite = new Sqlite(':memory:')
  const db = kyselyOver(sqlite)
  async function keep() {
    const bytes = sqlite.serialize()
    await db.destroy()
    return async () => {
      const copy = kyselyOver(new Sqlite(bytes))
      return { db: copy, close: () => copy.destroy() }
    }
  }
  return { db, keep }
}

async function inPostgres(engine: PushLoop): Promise<Negative> {
  const kept = await newPostgresDatabase(engine)
  const { db, close } = openForTest(kept)
  async function keep() {
    await close()
    return async () => {
      const url = await newPostgresDatabase(templateAt(kept))
      const copy = openForTest(url)
      const end = async () => {
        await copy.close()
        await dropPostgresDatabase(url)
      }
      return { db: copy.db, close: end }
    }
  }
  return { db, keep }
}
