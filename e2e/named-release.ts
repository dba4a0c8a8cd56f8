import { createHash } from 'node:crypto'
import type { Agency } from './agency.ts'
import type { FaultProxy } from './fault-proxy.ts'

/**
 * From now on the server has another build: its worker's list names another shell, and that shell says
 * which it is. Only the worker asks for it by this name, so whoever shows it has it from the worker.
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
