import type { Clock } from '../../sync/ports.ts'

const PAUSE_MS = 2_000

/**
 * Fetches style sheets that the line swallowed again until they are here. The browser does not, and a part of the page
 * that is fetched a second time does not ask for its own again: both would stay bare until the next start.
 */
export function refetchLostStyles(page: Document, after: Clock['after']): void {
  const again = (lost: HTMLLinkElement) => {
    const replace = () => lost.replaceWith(lost.cloneNode())
    // Bypasses the HTTP cache, which may hold a bad response.
    after(PAUSE_MS, () => void fetch(lost.href, { cache: 'reload' }).then(replace, replace))
  }
  // The one for print may arrive later than this runs.
  const sheets = page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]:not([media])')
  for (const link of sheets) if (link.sheet === null) again(link)
  const failed = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') again(target)
  }
  // These errors do not bubble.
  page.addEventListener('error', failed, true)
}
