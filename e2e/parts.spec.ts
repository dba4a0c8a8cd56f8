import { expect, type Locator, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { dialog, openList, press, signInAsAdmin, snackbar } from './admin.ts'
import { test } from './story.ts'

/** The parts that all screens are made of: boxes, fields, selections, dialogs. */

type Colour = [number, number, number]

/** The colours of a control as they are drawn: its border, and what is behind it. */
function drawn(control: Element): { border: Colour; around: Colour; inside: Colour } {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  function solid(colour: string): Colour | null {
    if (!canvas) throw new Error('There is no canvas')
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    return alpha === 255 ? [red, green, blue] : null
  }
  const { borderTopColor, backgroundColor } = getComputedStyle(control)
  let parent = control.parentElement
  while (parent && !solid(getComputedStyle(parent).backgroundColor)) parent = parent.parentElement
  const around = solid(parent ? getComputedStyle(parent).backgroundColor : 'white')
  const [border, inside] = [solid(borderTopColor), solid(backgroundColor)]
  if (!around || !border || !inside) throw new Error('A colour is transparent')
  return { border, around, inside }
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** As WCAG 2 defines it. */
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

async function expectSeen(page: Page, control: Locator) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { border, around, inside } = await control.evaluate(drawn)
    expect(contrast(border, around)).toBeGreaterThanOrEqual(3)
    if (await control.isChecked()) expect(contrast(inside, around)).toBeGreaterThanOrEqual(3)
    else expect(contrast(border, inside)).toBeGreaterThanOrEqual(3)
  }
}

test('the borders of boxes are seen in both schemes, ticked or not, and what is selected is marked', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await press(page, 'Delete Ada Fenwick')
  const box = dialog(page).getByRole('checkbox', { name: 'Confirm' })
  await expectSeen(page, box)
  await press(dialog(page), 'Delete')
  await expect(dialog(page).getByText('Please confirm to continue.')).toBeVisible()
  await expectSeen(page, box)
  await box.check()
  await expectSeen(page, box)
  await page.emulateMedia({ colorScheme: 'light' })
  const marks = () =>
    page.evaluate(() => [
      getComputedStyle(document.body, '::selection').backgroundColor,
      getComputedStyle(document.documentElement).getPropertyValue('--app-mark').trim(),
    ])
  await expect.poll(marks).toEqual(['rgb(207, 230, 228)', '#cfe6e4'])
})

test('the placeholder of a field with an error stays dim, and the dialog of an article as high as it is', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Articles')
  await press(page, 'New Article')
  const minimum = dialog(page).getByLabel('Minimum Word Count')
  const placeholder = () =>
    minimum.evaluate((field) => getComputedStyle(field, '::placeholder').color)
  const before = await placeholder()
  await press(dialog(page), 'Create')
  await expect(minimum).toHaveAttribute('aria-invalid', 'true')
  expect(await placeholder()).toBe(before)
  await page.keyboard.press('Escape')

  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    const tab = dialog(page).getByRole('tab', { name: 'Entities' })
    await expect(tab).toBeVisible()
    const places = async () => [await dialog(page).boundingBox(), await tab.boundingBox()]
    const first = await places()
    expect(first[0]?.height).toBe(Math.min(840, height - 48))
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    expect(await places()).toEqual(first)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  }
})

test('account access is a list of its own, and logging out everywhere asks first', async ({
  page,
  agency,
}) => {
  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(page, 'Edit Imogen Hale')
  const access = dialog(page).getByRole('region', { name: 'Account access' })
  const password = access.getByRole('group', { name: 'Password' })
  const devices = access.getByRole('group', { name: 'Devices' })
  await expect(password).toContainText('Set one yourself. Imogen is logged out on every device.')
  await expect(devices).toContainText('Imogen has to log in again everywhere.')
  await expect(access).toContainText('These take effect immediately.')
  const invitation = access.getByRole('group', { name: 'Invitation' })
  await expect(invitation).toContainText('A mail with a link, good for 7 days.')
  await look(page, 'edit-user')
  await page.setViewportSize({ width: 1280, height: 800 })

  await password.getByRole('button', { name: 'Set a password…' }).press('Enter')
  await expect(password.getByLabel('New password', { exact: true })).toBeFocused()
  await look(page, 'edit-user-password')
  await page.setViewportSize({ width: 1280, height: 800 })
  const content = dialog(page).locator('form').first().locator('..')
  expect(await content.evaluate((area) => area.scrollHeight - area.clientHeight)).toBe(0)
  await password.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(password.getByRole('button', { name: 'Set a password…' })).toBeFocused()

  let asked = 0
  await page.route('**/v1/users/*/sessions', (route) => {
    asked += 1
    return route.fallback()
  })
  await devices.getByRole('button', { name: 'Log out everywhere…' }).press('Enter')
  await expect(devices).toContainText('Log Imogen out on every device?')
  await look(page, 'edit-user-devices')
  expect(asked).toBe(0)
  await press(devices, 'Log out')
  await expect(snackbar(page, 'Logged out')).toContainText('Imogen Hale was logged out on every')
  expect(asked).toBe(1)
  await expect(devices.getByRole('button', { name: 'Log out everywhere…' })).toBeFocused()
  await page.keyboard.press('Escape')
  await press(page, 'Edit Rowan Ashdown')
  await expect(password).toContainText('Set a new one. Your other devices are logged out.')
  await expect(devices).toContainText('You have to log in again on every device, here too.')
  await expect(invitation).toHaveCount(0)
})
