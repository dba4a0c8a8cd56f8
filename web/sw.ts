/**
 * Keeps the files of its own release for starts without a connection. Every file is verified by its digest before it is
 * kept or served; `/v1` never comes through here.
 */

type ReleaseFile = { url: string; integrity: string }
type ExtendableEvent = Event & { waitUntil(done: Promise<unknown>): void }
type WorkerMessage = ExtendableEvent & { data: unknown }
type FetchEvent = Event & { request: Request; respondWith(answer: Promise<Response>): void }

/** The worker's own scope, which the types of a page do not have. */
type WorkerScope = {
  __WB_MANIFEST: ReleaseFile[]
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', run: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', run: (event: FetchEvent) => void): void
  addEventListener(type: 'message', run: (event: WorkerMessage) => void): void
}

declare const self: WorkerScope

const SHELL = '/index.html'
const NO_PAGE = /^\/(v1\/|(healthz|readyz|openapi\.json)$)/
/** Alphabets that most texts do without: kept when a page asks for them. */
const WHEN_ASKED_FOR = /-(cyrillic|greek|vietnamese)(-ext)?-[\w-]+\.woff2$/

const release = new Map<string, string>()
// The build writes the list here; the server puts the digest of the shell into it that it serves.
for (const { url, integrity } of self.__WB_MANIFEST) release.set(`/${url}`, integrity)

const PREFIX = 'contun-release-'
/** The shell names the files that it begins with, so each release has another one. */
const ownCache = `${PREFIX}${release.get(SHELL)}`

/** Holds under one key the name of the cache of the release that took over last: others may only have waited. */
const LAST_RUN = 'contun-last-run'
const LAST_RUN_KEY = '/last-run'

self.addEventListener('install', (event) => event.waitUntil(keepRelease()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('message', (event) => {
  const type = (event.data as { type?: string } | null)?.type
  if (type === 'SKIP_WAITING') void self.skipWaiting()
  // What does not come now is asked for by the next page.
  if (type === 'KEEP_RELEASE') event.waitUntil(keepRelease().catch(() => {}))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (release.has(pathname)) event.respondWith(fileFor(pathname))
  else if (request.mode === 'navigate' && !NO_PAGE.test(pathname)) {
    event.respondWith(fileFor(SHELL).catch(() => fetch(request)))
  } else if (pathname.startsWith('/assets/')) event.respondWith(olderFile(request, pathname))
})

/** Rejects where one file is not as it was built; what is kept by then is not fetched again at the next try. */
async function keepRelease(): Promise<void> {
  const own = await caches.open(ownCache)
  const isKept = new Set((await own.keys()).map(({ url }) => url))
  for (const path of release.keys()) {
    if (WHEN_ASKED_FOR.test(path) || isKept.has(new Request(keyOf(path)).url)) continue
    await own.put(keyOf(path), (await kept(path)) ?? (await fetched(path)))
  }
}

/** Pages of the release that ran before may still be open: its files stay until the next one runs. */
async function takeOver(): Promise<void> {
  const note = await caches.open(LAST_RUN)
  const before = await (await note.match(LAST_RUN_KEY))?.text()
  if (before !== ownCache) {
    const stay = new Set([ownCache, before, LAST_RUN])
    const names = await caches.keys()
    await Promise.all(names.filter((name) => !stay.has(name)).map((name) => caches.delete(name)))
    await note.put(LAST_RUN_KEY, new Response(ownCache))
  }
  await self.clients.claim()
}

/** Rejects when it can be had nowhere as it was built. */
async function fileFor(path: string): Promise<Response> {
  const file = await kept(path)
  if (file) return file
  const answer = await fetched(path)
  const copy = answer.clone()
  // Without room for it, the file is served all the same.
  await caches
    .open(ownCache)
    .then((own) => own.put(keyOf(path), copy))
    .catch(() => {})
  return answer
}

async function olderFile(request: Request, path: string): Promise<Response> {
  return (await caches.match(path, { ignoreSearch: true })) ?? fetch(request)
}

const keyOf = (path: string) => `${path}?${encodeURIComponent(release.get(path) ?? '')}`

/** Any release may have kept the same file: its key has the digest. */
const kept = (path: string) => caches.match(keyOf(path))

/** The first bad response may come from the HTTP cache. */
const fetched = (path: string) =>
  fetchVerified(path, 'default').catch(() => fetchVerified(path, 'reload'))

async function fetchVerified(path: string, cache: RequestCache): Promise<Response> {
  const answer = await fetch(path, { integrity: release.get(path) ?? '', cache })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  // The browser rejects a redirected response for a navigation.
  return new Response(answer.body, { headers: answer.headers })
}

export {}
