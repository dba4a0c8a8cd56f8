import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chromium } from '@playwright/test'
import { provideBrowser } from '../scripts/browser.mjs'
import { BROWSER_ARGS } from './rig.mjs'

/**
 * A Chromium without a test tool attached: tools that watch a page's console, network and errors slow it down, pages
 * with much script more than pages with little. Uses Chromium's own protocol over two pipes.
 */
export function startUnwatched(profile) {
  const child = spawn(
    provideBrowser() ?? chromium.executablePath(),
    [
      ...BROWSER_ARGS,
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--window-size=1440,900',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const [, , , toBrowser, fromBrowser] = child.stdio
  const waiting = new Map()
  let asked = 0
  let heard = ''
  fromBrowser.setEncoding('utf8').on('data', (text) => {
    const messages = (heard + text).split('\0')
    heard = messages.pop()
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result)
      waiting.delete(id)
    }
  })

  function send(method, params = {}, sessionId = undefined) {
    asked += 1
    toBrowser.write(`${JSON.stringify({ id: asked, method, params, sessionId })}\0`)
    return new Promise((answer) => waiting.set(asked, answer))
  }

  return {
    /** A new tab at `url`, in which `script` runs before all others. */
    async open(url, script = '') {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const ask = (method, params) => send(method, params, sessionId)
      await ask('Page.enable')
      await ask('Page.addScriptToEvaluateOnNewDocument', { source: script })
      await ask('Page.navigate', { url })
      return {
        evaluate: async (expression) =>
          (await ask('Runtime.evaluate', { expression, returnByValue: true })).result.value,
        close: () => send('Target.closeTarget', { targetId }),
      }
    },
    async stop() {
      const exit = once(child, 'exit')
      await send('Browser.close')
      await exit
    },
  }
}
