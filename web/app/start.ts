import { matchPath } from 'react-router-dom'
import type { User } from '../../domain/wire-users.ts'
import type { Clock } from '../../sync/ports.ts'
import type { createNewVersion } from './new-version.ts'
import { paths } from './paths.ts'
import { fetchParts } from './routes.tsx'
import type { Services } from './services.ts'

type Options = {
  location: Location
  clock: Pick<Clock, 'after'>
  services: Services
  newVersion: ReturnType<typeof createNewVersion>
  render: () => void
}

const RING_AFTER_MS = 150

/** A waiting version is opened before anything is fetched of the old one and before anything can be typed. */
export async function start({ location, clock, services, newVersion, render }: Options) {
  if (await newVersion.takeOver()) return location.reload()
  const parts = fetchParts(location.pathname)
  const user = services.sessions.read()?.user
  const copy =
    user && matchPath('/client/*', location.pathname) && openCopy(services, user, location)
  newVersion.followReleases()
  void services.signOut.retryUnfinished()
  // A ring, or a page without its text, would be drawn only to be replaced at once.
  await Promise.race([
    Promise.all([parts, copy]),
    new Promise<void>((late) => clock.after(RING_AFTER_MS, late)),
  ])
  render()
}

/** Resolves when the copy, and the text in it that the page shows, are open or cannot be opened. */
async function openCopy(
  { workspace, preloadedArticle }: Services,
  user: User,
  { pathname }: Location,
) {
  const client = await workspace.open(user).catch(() => null)
  const articleId = matchPath(paths.article, pathname)?.params.articleId
  if (client && articleId) await preloadedArticle.open(client, articleId)
}
