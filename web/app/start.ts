import { matchPath } from 'react-router-dom'
import type { User } from '../../domain/wire/users.ts'
import type { App } from './app-context.tsx'
import type { createNewVersion } from './new-version.ts'
import { paths } from './paths.ts'
import { fetchParts } from './routes.tsx'

type Options = {
  app: Pick<App, 'clock' | 'sessions' | 'workspace' | 'preloadedArticle' | 'signOut'>
  location: Location
  newVersion: ReturnType<typeof createNewVersion>
  render: () => void
}

const RING_AFTER_MS = 150

/** A waiting version is opened before anything is fetched of the old one and before anything can be typed. */
export async function start({ app, location, newVersion, render }: Options) {
  if (await newVersion.takeOver()) return location.reload()
  const parts = fetchParts(location.pathname)
  const user = app.sessions.read()?.user
  const copy = user && matchPath('/client/*', location.pathname) && openCopy(app, user, location)
  newVersion.followReleases()
  void app.signOut.retryUnfinished()
  // Rendered earlier, a ring or a page without its text would be replaced at once.
  await Promise.race([
    Promise.all([parts, copy]),
    new Promise<void>((late) => app.clock.after(RING_AFTER_MS, late)),
  ])
  render()
}

/** Resolves when the copy, and the text in it that the page shows, are open or cannot be opened. */
async function openCopy(
  { workspace, preloadedArticle }: Options['app'],
  user: User,
  { pathname }: Location,
) {
  const client = await workspace.open(user).catch(() => null)
  const articleId = matchPath(paths.article, pathname)?.params.articleId
  if (client && articleId) await preloadedArticle.open(client, articleId)
}
