import { createHash } from 'node:crypto'
import type { Agency } from './agency.ts'
import type { FaultProxy } from './fault-proxy.ts'

/**
 * Makes the proxy serve another build: the worker's file list has the digest of a shell marked with `build`.
 * Only the worker fetches `/index.html` by this name, so a page that shows the mark was served by the worker.
 */
export async function nameRelease(network: FaultProxy, agency: Agency, build: string) {
  const named = (shell: string) => shell.replace('<html', `<html data-build="${build}"`)
  const shell = named(await (await fetch(`${agency.url}/index.html`)).text())
  const digest = createHash('sha256').update(shell).digest('base64')
  network.replace('/sw.js', (text) =>
    text.replace(
      /"integrity":"[^"]*"(,"revision":null,"url":"index\.html")/,
      `"integrity":"sha256-${digest}"$1`,
    ),
  )
  network.replace('/index.html', named)
}
