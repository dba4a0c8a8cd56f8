/**
 * Runs apart from the application and before it, so that a page whose files did not arrive still offers a way on. It
 * shows the screen that index.html has for that, and loads the page again without what may be damaged: stored files are
 * dropped, databases never.
 */

const SCREEN = 'not-started'
const ASSETS = `${location.origin}/assets/`
const LOAD_AGAIN = 'contun-load-again'
/** Said to the application: the server has another release, and with it a part that this page lacks. */
const OUTDATED = 'contun-outdated'
const LAST_OUTDATED = 'contun-part-missing'
const OUTDATED_AT_MOST_EVERY_MS = 30_000
/** An error of a browser extension is followed by the application soon enough. */
const STARTED_BY_THEN_MS = 2_000
const ANSWERED_BY_THEN_MS = 10_000
const FETCHED_BY_THEN_MS = 30_000

/** Where the application keeps the scheme that was chosen in this browser; without one the system's is shown. */
const SCHEME_KEY = 'mantine-color-scheme-value'
const SCHEME_ATTRIBUTE = 'data-mantine-color-scheme'

/** Runs before the first paint; the application sets the same attribute later. */
function showChosenScheme(): void {
  try {
    const chosen = localStorage.getItem(SCHEME_KEY)
    if (chosen === 'light' || chosen === 'dark')
      document.documentElement.setAttribute(SCHEME_ATTRIBUTE, chosen)
  } catch {
    // Nothing can be kept in this browser, and so nothing was chosen.
  }
}

/** The browser's bar has the colour of the page's scheme; until there is one, index.html has that of the system. */
function colourBrowserBar(): void {
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
    (bar) => ({ bar, scheme: bar.media.includes('dark') ? 'dark' : 'light' }),
  )
  const follow = () => {
    const shown = document.documentElement.getAttribute(SCHEME_ATTRIBUTE)
    if (shown === null) return
    for (const { bar, scheme } of bars) bar.media = scheme === shown ? 'all' : 'not all'
  }
  follow()
  new MutationObserver(follow).observe(document.documentElement, {
    attributeFilter: [SCHEME_ATTRIBUTE],
  })
}

let screen: HTMLElement | null = null
let isLoading = false

/**
 * The application replaces the screen with its own page; where that page is gone as well, the screen is shown again.
 */
function showUnlessStarted(): void {
  const root = document.getElementById('root')
  if (!root || !screen) return
  if (!root.hasChildNodes()) root.append(screen)
  screen.setAttribute('data-shown', '')
}

function noteFault({ target }: Event): void {
  // What extensions and proxies put into the page, this page can do without.
  const isScript = target instanceof HTMLScriptElement && target.src.startsWith(ASSETS)
  if (!isScript && target !== window) return
  const show = () => setTimeout(showUnlessStarted, isScript ? 0 : STARTED_BY_THEN_MS)
  if (screen) show()
  else document.addEventListener('DOMContentLoaded', show, { once: true })
}

/**
 * The cached files are kept while something else responds in the server's place: they may be all that this device has.
 */
async function serverAnswers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWERED_BY_THEN_MS)
    const { ok, headers } = await fetch('/sw.js', { cache: 'reload', signal })
    return ok && headers.get('content-type')?.startsWith('text/javascript') === true
  } catch {
    return false
  }
}

async function dropKeptFiles(): Promise<void> {
  const names = 'caches' in window ? await caches.keys() : []
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(names.map((name) => caches.delete(name)))
  await Promise.all(workers.map((worker) => worker.unregister()))
}

/** Fetches past the HTTP cache, which would return the stored bad responses again. */
async function refetchFiles(): Promise<void> {
  const asked = performance.getEntriesByType('resource').map(({ name }) => name)
  const named = [...document.querySelectorAll<HTMLElement>('script[src], link[href]')].map(
    (element) =>
      element instanceof HTMLScriptElement ? element.src : Reflect.get(element, 'href'),
  )
  const own = new Set<string>([...asked, ...named].filter((url) => url.startsWith(ASSETS)))
  const signal = AbortSignal.timeout(FETCHED_BY_THEN_MS)
  await Promise.all([...own].map((url) => fetch(url, { cache: 'reload', signal }).catch(() => {})))
}

async function loadAgain(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    if (await serverAnswers()) {
      await dropKeptFiles()
      await refetchFiles()
    }
  } catch {
    // The page is loaded again all the same.
  }
  isLoading = false
  location.reload()
}

/** Whether a fresh start would begin with another script than this page did; false when the server does not say. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src')
  const shell = await fetch('/', { cache: 'no-store' })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .catch(() => '')
  return shell.includes(SCREEN) && typeof own === 'string' && !shell.includes(own)
}

/** A part that only the connection kept away is no reason to leave the page. */
async function notePartMissing(): Promise<void> {
  if (!(await isOutdated())) return
  const now = Date.now()
  if (now - Number(sessionStorage.getItem(LAST_OUTDATED)) < OUTDATED_AT_MOST_EVERY_MS) return
  sessionStorage.setItem(LAST_OUTDATED, String(now))
  dispatchEvent(new Event(OUTDATED))
}

showChosenScheme()
document.addEventListener('DOMContentLoaded', colourBrowserBar, { once: true })
// The page is read, and the application has not begun.
document.addEventListener('readystatechange', () => {
  screen ??= document.getElementById(SCREEN)
})
// Errors of elements do not bubble.
addEventListener('error', noteFault, true)
addEventListener('unhandledrejection', noteFault)
addEventListener('vite:preloadError', () => void notePartMissing())
addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || !event.target.closest(`#${SCREEN} a[href=""]`)) return
  event.preventDefault()
  event.target.textContent = 'Loading…'
  void loadAgain()
})
addEventListener(LOAD_AGAIN, (event) => {
  event.preventDefault()
  void loadAgain()
})

export {}
