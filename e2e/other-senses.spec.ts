import { expect, type Locator, type Page } from '@playwright/test'
import { signInAsAdmin } from './admin.ts'
import { ADMIN, WRITER } from './agency.ts'
import { test } from './story.ts'
import { articleText, bringSession, goToEnd, signInToArticle, stored } from './writer.ts'

/** The product with a screen reader, and with the colours of the system. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'

test.use({ locale: 'en-GB' })

/** Records what the live regions of every page announce, as a screen reader would read it. */
async function listen(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const LIVE = '[role=status], [role=alert], [aria-live]'
    const said: string[] = []
    Object.assign(window, { said })
    const hear = (region: Element | null | undefined) => {
      // A screen reader has nothing of a region that is not shown.
      if (!region?.checkVisibility({ visibilityProperty: true })) return
      const words = region.textContent?.replace(/\s+/g, ' ').trim()
      if (words && words !== said.at(-1)) said.push(words)
    }
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        hear(element?.closest(LIVE))
        for (const region of element?.querySelectorAll(LIVE) ?? []) hear(region)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

const said = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'said'))

/** Presses Tab until this has the focus; fails when it never comes. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let stops = 0; stops < 30; stops += 1) {
    await page.keyboard.press('Tab')
    if (await goal.evaluate((element) => element === document.activeElement)) return
  }
  await expect(goal).toBeFocused()
}

test('a screen reader user logs in, writes and completes an article by keys, with exactly the expected announcements', {
  tag: ['@main'],
}, async ({ page, agency }) => {
  await listen(page)
  await page.goto(`${agency.url}/login`)
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - banner:
      - navigation "Main"
    - complementary "About Contūn Articles"
    - main:
      - heading "Login" [level=1]
      - textbox "E-mail"
      - textbox "Password"
      - button "Show password"
      - link "Forgot password?"
      - button "Login"
    - region "Messages"
  `)
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
  await page.keyboard.type(WRITER.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(agency.passwordOf(WRITER.email))
  await page.keyboard.press('Enter')

  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.locator('body')).toMatchAriaSnapshot(
    `
    - main:
      - heading "Welcome, Imogen" [level=1]
      - searchbox "Find an article"
      - status:
        - button /Everything is saved/
      - region "Incomplete Articles":
        - heading "Incomplete Articles" [level=2]
        - list:
          - listitem:
            - link /^${ARTICLE} \\(458 of 700 words\\) Last modified .+ \\(opens in a new tab\\)$/
        - navigation "Pages of Incomplete Articles"
      - region "Completed Articles":
        - heading "Completed Articles" [level=2]
    `,
    { timeout: 30_000 },
  )
  await tabTo(page, page.getByRole('link', { name: ARTICLE }))
  const [article] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await expect(article.locator('body')).toMatchAriaSnapshot(`
    - complementary "Scorecard":
      - paragraph: 458 words
      - paragraph: of at least 700
      - switch "Hide used entities"
      - switch "Show entities in the text"
      - region "Entities":
        - heading "Must Use used 7/8" [level=2]
        - list:
          - listitem:
            - button "garden path (used), 1 place"
          - listitem:
            - button "garden lighting (not used)"
    - main:
      - heading "${ARTICLE}" [level=1]
      - paragraph: /Larkspur Gardens · Last modified/
      - button "Mark Complete"
      - toolbar "Formatting":
        - button "Bold"
      - textbox "Article text":
        - heading "Start with the walk, not the lamp" [level=2]
      - status:
        - button "Saved"
  `)
  await expect(article).toHaveTitle(new RegExp(`^${ARTICLE}`))

  await tabTo(article, articleText(article))
  await article.keyboard.press('Control+End')
  await article.keyboard.type(' Good garden lighting waits.')
  await expect.poll(() => stored(agency, ARTICLE).text).toMatch(/lighting waits\.$/)
  await expect(article.getByRole('status').getByRole('button', { name: 'Saved' })).toBeVisible()
  await expect(article.getByRole('complementary', { name: 'Scorecard' })).toMatchAriaSnapshot(`
    - complementary "Scorecard":
      - paragraph: 462 words
      - region "Entities":
        - heading "Must Use used 8/8" [level=2]
  `)
  // Neither words nor entities are announced while the user is writing.
  const whileWriting = await said(article)
  expect(whileWriting.filter((words) => !/^(Saved|Saving…)$/.test(words))).toEqual([])

  await tabTo(article, article.getByRole('button', { name: 'Mark Complete' }))
  await article.keyboard.press('Enter')
  const question = article.getByRole('dialog', { name: 'Mark Article as Complete?' })
  await expect(question.getByRole('checkbox', { name: 'Confirm' })).toBeFocused()
  await expect(question).toMatchAriaSnapshot(`
    - heading "Mark Article as Complete?" [level=2]
    - button "Close"
    - paragraph: /Only the agency can reopen it/
    - list:
      - listitem: 238 words below the minimum.
    - checkbox "Confirm"
    - button "Cancel"
    - button "Complete Article"
  `)
  await article.keyboard.press('Space')
  await tabTo(article, question.getByRole('button', { name: 'Complete Article' }))
  await article.keyboard.press('Enter')
  await expect(article.getByRole('main')).toMatchAriaSnapshot(`
    - heading "${ARTICLE}" [level=1]
    - button "Article Complete" [disabled]
    - region "Article text"
    - status:
      - button "Complete — this article is read-only"
  `)
  await expect(article.getByRole('region', { name: 'Article text' })).toBeFocused()
  await expect
    .poll(async () => (await said(article)).at(-1))
    .toBe('Complete — this article is read-only')
})

test('navigation by keys moves the focus to the start of the new page', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await tabTo(page, page.getByRole('link', { name: 'Users' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)

  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

/** The colours that this part has now. */
const colours = (part: Locator): Promise<string> =>
  part.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return `${color} on ${backgroundColor}`
  })

/** Expects different colours, though both are the system's. */
async function expectApart(one: Locator, other: Locator): Promise<void> {
  await expect.poll(async () => (await colours(one)) === (await colours(other))).toBe(false)
}

test('at 200 % zoom an article can be written all the same', async ({ page, agency }) => {
  await page.addInitScript(() => Object.defineProperty(window.screen, 'width', { value: 1440 }))
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await page.setViewportSize({ width: 720, height: 450 })
  await page.getByRole('button', { name: 'Show it anyway' }).click()
  await goToEnd(page)
  await page.keyboard.type(' Written large.')
  await expect(page.locator('.ProseMirror > p').last()).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeInViewport()
  await expect.poll(() => stored(agency, ARTICLE).text).toMatch(/Written large\.$/)
})

test('with forced colours pressed, selected, current and checked items are distinguishable', async ({
  page,
  agency,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await signInToArticle(page, agency.url, agency, ARTICLE)
  await articleText(page).click()
  const tool = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(tool('Paragraph')).toHaveAttribute('aria-pressed', 'true')
  await expectApart(tool('Paragraph'), tool('Heading 1'))
  const entity = (name: string) =>
    page.getByRole('listitem').filter({ hasText: name }).locator('.lucide-check')
  await expect(entity('path light')).toHaveCount(1)
  await expect(entity('garden lighting')).toHaveCount(0)
  const hide = page.getByRole('switch', { name: 'Hide used entities' })
  const track = hide.locator('+ *')
  const off = await colours(track)
  await hide.check({ force: true })
  await expect.poll(() => colours(track)).not.toBe(off)
  await expectApart(track.locator('.mantine-Switch-thumb'), track)

  await hide.uncheck({ force: true })
  await page.getByRole('switch', { name: 'Show entities in the text' }).check({ force: true })
  for (const [tier, style] of ['solid', 'dashed', 'dotted'].entries())
    await expect(page.locator(`.entity-line.tier-${tier}`).first()).toHaveCSS(
      'text-decoration-style',
      style,
    )

  await articleText(page).click()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('light')
  await expect(page.locator('.found-current')).toHaveCount(1)
  await expectApart(
    page.locator('.found-current'),
    page.locator('.found:not(.found-current)').first(),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const box = page.getByRole('dialog').getByRole('checkbox')
  await box.check()
  const tick = page.getByRole('dialog').locator('.mantine-Checkbox-icon')
  await expect
    .poll(async () => (await colours(tick)).split(' on ')[0])
    .not.toBe((await colours(box)).split(' on ')[1])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCSS('outline-style', 'solid')

  await bringSession(page, agency.url, agency, ADMIN)
  await page.goto(`${agency.url}/admin/articles`)
  const entry = (name: string) =>
    page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name })
  await expectApart(entry('Articles'), entry('Users'))
  const number = (name: string) => page.getByRole('button', { name, exact: true })
  await expectApart(number('Page 1'), number('Page 2'))
  await page.getByRole('combobox', { name: 'Filter by client' }).click()
  await expect(page.getByRole('option')).toHaveCount(3)
  await page.keyboard.press('ArrowDown')
  const chosen = page.locator('[data-combobox-selected]')
  await expect(chosen).toHaveCount(1)
  await expectApart(chosen, page.locator('[role=option]:not([data-combobox-selected])').first())
})

/** Names from now on what moves or fades on the pages of this context. */
async function watchMotion(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    for (const type of ['animationstart', 'transitionrun'])
      document.addEventListener(
        type,
        (event) => {
          const { target, propertyName, animationName } = event as TransitionEvent & AnimationEvent
          moved.push(`${(target as Element).className}: ${propertyName ?? animationName}`)
        },
        true,
      )
  })
}

/** Ignores the spinner of a loading page, which has no meaning when it does not move. */
const moved = async (page: Page): Promise<string[]> => {
  const all: string[] = await page.evaluate(() => Reflect.get(window, 'moved'))
  return all.filter((one) => !/mantine-Loader|_appear_/.test(one))
}

test('with reduced motion nothing moves or fades, whatever opens, closes or comes', async ({
  page,
  agency,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await watchMotion(page)
  await bringSession(page, agency.url, agency)
  await page.goto(`${agency.url}/client/home`)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Everything is saved/ }).click()
  await page.keyboard.press('Escape')
  expect(await moved(page)).toEqual([])

  await signInToArticle(page, agency.url, agency, ARTICLE)
  await articleText(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Good garden lighting waits.')
  await expect.poll(() => stored(agency, ARTICLE).text).toMatch(/lighting waits\.$/)
  await page.getByRole('button', { name: 'Bold' }).hover()
  await page.getByRole('switch', { name: 'Hide used entities' }).check({ force: true })
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('checkbox').check()
  await question.getByRole('button', { name: 'Complete Article' }).click()
  await expect(page.getByRole('button', { name: 'Article Complete' })).toBeVisible()
  expect(await moved(page)).toEqual([])
})
