import Sqlite from 'better-sqlite3'
import { kyselyOver } from '../../api/database/sqlite.ts'
import type { Database, Deps } from '../../api/deps.ts'
import { createTestApp, type TestUser } from '../../api/test-app.ts'

/** A migrated database with people and articles as bytes, so that no schedule pays for making it. */
export type ServerImage = {
  bytes: Buffer
  deps: Deps
  admin: TestUser
  writers: readonly [TestUser, TestUser]
  clientId: string
  articles: readonly string[]
}

const images = new Map<number, Promise<ServerImage>>()

/** Made once for every number of articles. */
export function imageWith(articleCount: number): Promise<ServerImage> {
  const image = images.get(articleCount) ?? makeImage(articleCount)
  images.set(articleCount, image)
  return image
}

/** Short, so that tokens expire in the middle of a schedule. */
const ACCESS_TOKEN_MINUTES = 1

async function makeImage(articleCount: number): Promise<ServerImage> {
  const sqlite = new Sqlite(':memory:')
  const world = await createTestApp({
    db: kyselyOver(sqlite),
    config: { accessTokenMinutes: ACCESS_TOKEN_MINUTES },
    deps: {
      passwords: { hash: async () => 'nobody signs in by password', verify: async () => false },
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
  const bytes = sqlite.serialize()
  await world.db.destroy()
  return { bytes, deps: world.deps, admin, writers, clientId: client.id, articles }
}

export type OpenImage = { db: Database; sqlite: Sqlite.Database }

/** A database of its own that starts as the image. */
export function openImage({ bytes }: ServerImage): OpenImage {
  const sqlite = new Sqlite(bytes)
  return { db: kyselyOver(sqlite), sqlite }
}
