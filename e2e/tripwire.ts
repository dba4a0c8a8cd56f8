import type { BrowserContext } from '@playwright/test'
import { CANARY } from './hostile-payloads.ts'

/**
 * What hostile texts achieved in the pages of this context; grows while they run. A page trips by running
 * any of them, by a native dialog, by asking the canary's machine, and by as much as holding an element or
 * attribute that could run one.
 */
export async function setTripwire(context: BrowserContext): Promise<string[]> {
  const trips: string[] = []
  const trip = (what: string) => void (trips.includes(what) || trips.push(what))
  await context.exposeBinding('hit', ({ frame }) => {
    trip(`ran in ${frame.url()}`)
  })
  await context.exposeBinding('reportElement', (_, html: string) => {
    trip(`an element that could run: ${html}`)
  })
  await context.addInitScript(watchElements, CANARY)
  context.on('dialog', (dialog) => {
    trip(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    if (new URL(request.url()).host === CANARY) trip(`asked for ${request.url()}`)
  })
  return trips
}

/** Runs in the page, before anything of it. */
function watchElements(canary: string) {
  const FORBIDDEN =
    'iframe, frame, object, embed, base, meta[http-equiv], math, form[action], animate'

  const isHostile = (address: string | null) =>
    address !== null && (/^\s*javascript:/i.test(address) || address.includes(`//${canary}`))
  const isBad = (element: Element) =>
    element.matches(FORBIDDEN) ||
    isHostile(element.getAttribute('src')) ||
    isHostile(element.getAttribute('href')) ||
    (element.matches('script:not([src], [type="application/json"])') &&
      element.textContent !== '') ||
    (element.matches('style') ? element.textContent : element.getAttribute('style'))?.includes(
      `(//${canary}`,
    ) ||
    element.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc')

  function look(root: Node) {
    if (!(root instanceof Element)) return
    const all = [root, ...root.querySelectorAll('*')]
    for (const element of all.filter(isBad)) {
      const report = Reflect.get(window, 'reportElement') as (html: string) => void
      report(element.outerHTML.slice(0, 200))
    }
  }

  new MutationObserver((changes) => {
    for (const { target, addedNodes, type } of changes) {
      if (type === 'attributes') look(target)
      for (const node of addedNodes) look(node)
    }
  }).observe(document, { subtree: true, childList: true, attributes: true })
}
