import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { type Launched, WINDOW } from './launch.ts'
import type { Named } from './names.ts'
import { type CommandName, DriverError, ELEMENT } from './webdriver.ts'

/** How long anything may take to appear; a busy machine is slow. */
const WAIT_MS = 60_000
const LOOK_MS = 100

/** WebDriver's code points of keys without a character. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Backspace: '\uE003',
  End: '\uE010',
  Home: '\uE011',
  ArrowDown: '\uE015',
}

/** One tab, and a user's actions in it. Each action waits until it is possible. */
export type Tab = ReturnType<typeof tabOf>

export async function firstTab(browser: Launched): Promise<Tab> {
  const [handle = ''] = (await browser.driver.send('handles')) as string[]
  return tabOf(browser, handle)
}

export async function newTab(browser: Launched): Promise<Tab> {
  const { handle } = (await browser.driver.send('newTab', { type: 'tab' })) as { handle: string }
  return tabOf(browser, handle)
}

/** The tab that `open` opens. */
export async function openedTab(browser: Launched, open: () => Promise<void>): Promise<Tab> {
  const handles = async () => (await browser.driver.send('handles')) as string[]
  const before = await handles()
  await open()
  const handle = await until('a new tab', async () =>
    (await handles()).find((one) => !before.includes(one)),
  )
  const tab = tabOf(browser, handle)
  await tab.show()
  await browser.driver.send('resize', WINDOW)
  return tab
}

function tabOf({ driver }: Launched, handle: string) {
  const send = async (command: CommandName, parameters: Record<string, unknown> = {}) => {
    await driver.send('switchTo', { handle, name: handle })
    return driver.send(command, parameters)
  }

  /** Runs in the page, which has no name of this file; what it returns may be a promise. */
  async function evaluate<T, A extends unknown[]>(
    inPage: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${inPage})(...[...arguments].slice(0, -1)))
        .then((value) => done({ value }), (error) => done({ error: String(error) }))`
    // Firefox returns null if the page was replaced while the script ran.
    const { value, error } = await until(
      'a page that stays while a script runs',
      () => send('execute', { script, args }) as Promise<{ value: T; error?: string } | null>,
    )
    if (error !== undefined) throw new Error(error)
    return value
  }

  /** Null while no such element is shown. */
  const look = ({ role, name, exact }: Named) =>
    evaluate(findByRole, role, typeof name === 'string' ? name : name.source, {
      exact: exact ?? typeof name === 'string',
    }) as Promise<{ [ELEMENT]: string } | null>

  async function find(named: Named): Promise<string> {
    const found = await until(`${named.role} ${named.name}`, () => look(named).catch(passing))
    return found[ELEMENT]
  }

  /** Retries while the page moves, covers or replaces the element. */
  async function act(named: Named, command: CommandName, parameters = {}): Promise<void> {
    await until(`${command} on ${named.role} ${named.name}`, async () => {
      const id = await find(named)
      return send(command, { id, ...parameters }).then(() => true, passing)
    })
  }

  const body = () => evaluate(() => document.body?.innerText ?? '')

  async function press(keys: string): Promise<void> {
    const codes = keys.split('+').map((key) => KEYS[key] ?? key)
    await send('actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: [
            ...codes.map((value) => ({ type: 'keyDown', value })),
            ...codes.reverse().map((value) => ({ type: 'keyUp', value })),
          ],
        },
      ],
    })
  }

  return {
    evaluate,
    press,
    body,
    async goTo(url: string) {
      await send('navigate', { url })
    },
    /** As `goTo`, where the page that is left may ask first, or the server is away. */
    async tryToGoTo(url: string) {
      await send('navigate', { url }).catch(() => {})
    },
    /** As F5 does. In Firefox the driver's own command bypasses the service worker. */
    async reload() {
      await evaluate(() => {
        document.documentElement.dataset.left = 'true'
        setTimeout(() => location.reload())
      })
      const isNew = () => evaluate(() => !document.documentElement.dataset.left)
      await until('the reloaded page', () => isNew().catch(() => false))
    },
    /** Brings the tab to the front. */
    async show() {
      await driver.send('switchTo', { handle, name: handle })
    },
    click: (named: Named) => act(named, 'click'),
    async fill(named: Named, text: string) {
      await act(named, 'click')
      await press('Control+a')
      await act(named, 'keys', { text })
    },
    /** Types where the focus is. */
    async type(text: string) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    /** Hands a file of this machine to the page's field for one. */
    async chooseFile(path: string) {
      const field = await until('a field for a file', () =>
        evaluate(() => document.querySelector('input[type=file]')),
      )
      await send('keys', { id: (field as unknown as { [ELEMENT]: string })[ELEMENT], text: path })
    },
    isShown: async (named: Named) => (await look(named)) !== null,
    async sees(named: Named) {
      await find(named)
    },
    async seesNot(named: Named) {
      await until(`no ${named.role} ${named.name}`, () =>
        look(named).then((found) => found === null, passing),
      )
    },
    async reads(text: string | RegExp, ms = WAIT_MS) {
      const has = (shown: string) =>
        typeof text === 'string' ? shown.includes(text) : text.test(shown)
      await until(`the text ${text}`, async () => has(await body()), ms).catch(async () =>
        expect(await body()).toContain(text),
      )
    },
    async readsNot(text: string) {
      await until(`no text ${text}`, async () => !(await body()).includes(text))
    },
    async screenshot(): Promise<Buffer> {
      return Buffer.from((await send('screenshot')) as string, 'base64')
    },
  }
}

/** What may pass: the element moved, was covered or replaced. Anything else is a fault of the story. */
function passing(error: unknown): false {
  const kinds = [
    'stale element reference',
    'element not interactable',
    'element click intercepted',
    'no such element',
  ]
  if (error instanceof DriverError && kinds.includes(error.kind)) return false
  throw error
}

/** What `look` returns once it is something. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  ms = WAIT_MS,
): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`)
    await pause(LOOK_MS)
  }
}

/** Runs in the page: the first visible element of a role with a name, as a screen reader finds it. */
function findByRole(role: string, name: string, { exact }: { exact: boolean }): Element | null {
  const selectors: Record<string, string> = {
    button: 'button, [role=button]',
    link: 'a[href], [role=link]',
    heading: 'h1, h2, h3, h4, [role=heading]',
    textbox:
      'input:not([type]), input[type=text], input[type=email], input[type=password], textarea, [role=textbox]',
    searchbox: 'input[type=search], [role=searchbox]',
    spinbutton: 'input[type=number], [role=spinbutton]',
    combobox: 'select, [role=combobox]',
    checkbox: 'input[type=checkbox], [role=checkbox]',
  }
  const text = (value: string | null | undefined) => (value ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element): string => {
    const labelled = element.getAttribute('aria-labelledby')
    if (labelled) {
      const parts = labelled.split(/\s+/).map((id) => document.getElementById(id)?.textContent)
      return text(parts.join(' '))
    }
    const label = element.getAttribute('aria-label')
    if (label) return text(label)
    const { labels } = element as HTMLInputElement
    if (labels && labels.length > 0) return text(labels[0]?.textContent).replace(/\s*\*$/, '')
    return (
      text(element.textContent) ||
      text(element.getAttribute('placeholder') ?? element.getAttribute('title'))
    )
  }
  const fits = exact
    ? (found: string) => found.toLowerCase() === name.toLowerCase()
    : (found: string) => new RegExp(name, 'i').test(found)
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const own = (element: Element) => element.getAttribute('role')
  for (const element of document.querySelectorAll(selectors[role] ?? `[role=${role}]`)) {
    if (own(element) !== null && own(element) !== role && role !== 'textbox') continue
    if (
      !element.closest('[aria-hidden=true], [inert]') &&
      isShown(element) &&
      fits(nameOf(element))
    )
      return element
  }
  return null
}
