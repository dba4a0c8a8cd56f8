import { type CDPSession, expect, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { look } from './accessible.ts'
import { dialog, openList, signInAsAdmin, snackbar } from './admin.ts'
import { type Agency, WRITER } from './agency.ts'
import { test } from './story.ts'
import { signIn } from './writer.ts'

/** Two-step login: adding it in Edit Account, logging in with it, and what helps when a device is lost. */

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const card = (page: Page) => page.getByRole('region', { name: 'Two-step login' })

async function openAccount(page: Page, agency: Agency) {
  await page.goto(`${agency.url}/client/profile`)
  await expect(card(page)).toContainText(/^Two-step login(On|Off)\./)
}

/** The password step of a browser that knows nothing of the account. */
async function enterPassword(page: Page, agency: Agency, email = WRITER.email) {
  await page.goto(`${agency.url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(agency.passwordOf(email))
  await button(page, 'Login').click()
  await expect(page.getByRole('heading', { name: 'Two-step login' })).toBeVisible()
}

/** A code that the server has not seen: of the step after this one, which it accepts too. */
const nextCode = (secret: string, ahead = 30) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + ahead })

async function addApp(page: Page, agency: Agency) {
  await button(page, 'Add an authenticator app…').click()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await page.keyboard.type(agency.passwordOf(WRITER.email))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  const shown = await card(page)
    .getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/)
    .innerText()
  return shown.replaceAll(' ', '')
}

async function recoveryCodes(page: Page): Promise<string[]> {
  const list = card(page).getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  return list.getByRole('listitem').allInnerTexts()
}

/** The authenticator of a computer, which asks for no hand. */
async function authenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id }
}

test('an authenticator app, by keyboard', { tag: '@main' }, async ({ page, agency, browser }) => {
  await signIn(page, agency.url, agency)
  await openAccount(page, agency)
  await look(page, 'two-step-off')

  const secret = await addApp(page, agency)
  await look(page, 'two-step-app')
  await expect(page.getByLabel('Code that the app shows')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(card(page).getByText('This code is wrong')).toBeVisible()
  await page.keyboard.type(nextCode(secret, 0))
  await page.keyboard.press('Enter')
  await expect(button(page, 'I have saved them')).toBeVisible()
  await look(page, 'two-step-codes')
  const codes = await recoveryCodes(page)
  await button(page, 'I have saved them').press('Enter')
  await expect(page.getByRole('heading', { name: 'Two-step login' })).toBeFocused()
  await expect(card(page)).toContainText('10 of 10 left')
  await look(page, 'two-step-on')

  const other = await browser.newPage()
  await enterPassword(other, agency)
  await look(other, 'second-step')
  const code = other.getByLabel('Code of your app, or a recovery code')
  await expect(code).toBeFocused()
  await other.keyboard.press('Enter')
  await expect(main(other).getByText('Please enter a code.')).toBeVisible()
  await other.keyboard.type(nextCode(secret))
  await other.keyboard.press('Enter')
  await other.waitForURL('**/client/home')

  // A recovery code works once.
  for (const isFirst of [true, false]) {
    const lost = await browser.newPage()
    await enterPassword(lost, agency)
    await lost.getByLabel('Code of your app, or a recovery code').fill(codes[0] ?? '')
    await button(lost, 'Log in').click()
    if (isFirst) await lost.waitForURL('**/client/home')
    else await expect(main(lost).getByText('This code is wrong')).toBeVisible()
    await lost.close()
  }

  await page.reload()
  await expect(card(page)).toContainText('9 of 10 left')
  await button(page, 'Remove… Authenticator app').click()
  await look(page, 'two-step-proof')
  await page.getByLabel('Code of your app, or a recovery code').fill(codes[1] ?? '')
  await button(page, 'Remove').click()
  await expect(card(page)).toContainText('Off.')
  await other.close()
})

test('five wrong codes lead back to the password', async ({ page, agency, browser }) => {
  await signIn(page, agency.url, agency)
  await openAccount(page, agency)
  const secret = await addApp(page, agency)
  await page.getByLabel('Code that the app shows').fill(nextCode(secret, 0))
  await button(page, 'Turn on').click()
  await recoveryCodes(page)

  const other = await browser.newPage()
  await enterPassword(other, agency)
  const code = other.getByLabel('Code of your app, or a recovery code')
  let refused = 0
  while (refused < 5) {
    await code.fill(`00000${refused}`)
    const answered = other.waitForResponse('**/v1/auth/second-step')
    await button(other, 'Log in').click()
    // A server under load answers 503, which counts as no try.
    if ((await answered).status() === 403) refused += 1
  }
  await code.fill(nextCode(secret))
  await button(other, 'Log in').click()
  await expect(other.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(snackbar(other, 'Error Logging in').first()).toContainText(
    'Please enter your password again.',
  )
  await other.close()
})

test('passkeys: a second device, a lost one, and another origin', async ({
  page,
  agency,
  browser,
}) => {
  await signIn(page, agency.url, agency)
  const { cdp, id } = await authenticator(page)
  await openAccount(page, agency)
  await button(page, 'Add a passkey…').click()
  await look(page, 'two-step-passkey')
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await page.getByLabel('Current password').fill(agency.passwordOf(WRITER.email))
  await button(page, 'Continue').click()
  const codes = await recoveryCodes(page)
  await button(page, 'I have saved them').click()
  await expect(card(page)).toContainText('Laptop')

  // The same person on another device, to which the passkey was synchronized.
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })
  const [credential] = credentials
  if (!credential) throw new Error('There is no passkey')
  const phone = await browser.newPage()
  const second = await authenticator(phone)
  await second.cdp.send('WebAuthn.addCredential', { authenticatorId: second.id, credential })
  await enterPassword(phone, agency)
  await look(phone, 'second-step-passkey')
  await button(phone, 'Use your passkey').click()
  await phone.waitForURL('**/client/home')
  await phone.close()

  // Without the passkey the browser has nothing to offer, and a recovery code helps.
  const lost = await browser.newPage()
  await authenticator(lost)
  await enterPassword(lost, agency)
  await button(lost, 'Use your passkey').click()
  await expect(snackbar(lost, 'No passkey was used').first()).toBeVisible()
  await lost.getByLabel('Recovery code').fill(codes[0] ?? '')
  await button(lost, 'Log in').click()
  await lost.waitForURL('**/client/home')
  await lost.close()

  // A page of another origin, on the same host, passes the challenge on.
  const evil = await browser.newPage()
  const third = await authenticator(evil)
  await third.cdp.send('WebAuthn.addCredential', { authenticatorId: third.id, credential })
  await evil.route('http://localhost:4/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Not the agency</title>' }),
  )
  const email = WRITER.email
  const password = agency.passwordOf(email)
  const refused = await evil.request.post(`${agency.url}/v1/auth/login`, {
    data: { email, password },
  })
  const { secondStep } = await refused.json()
  await evil.goto('http://localhost:4/')
  const passkey = await evil.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const used = await navigator.credentials.get({ publicKey })
    return (used as PublicKeyCredential).toJSON()
  }, secondStep.passkey)
  const answer = await evil.request.post(`${agency.url}/v1/auth/second-step`, {
    data: { ticket: secondStep.ticket, passkey },
  })
  expect(answer.status()).toBe(403)
  await evil.close()
})

test('an admin removes it from the account of a writer', async ({ page, agency, browser }) => {
  const writer = await browser.newPage()
  await signIn(writer, agency.url, agency)
  await openAccount(writer, agency)
  const secret = await addApp(writer, agency)
  await writer.getByLabel('Code that the app shows').fill(nextCode(secret, 0))
  await button(writer, 'Turn on').click()
  await recoveryCodes(writer)

  await signInAsAdmin(page, agency)
  await openList(page, 'Users')
  await page.getByRole('button', { name: `Edit ${WRITER.name}` }).click()
  const row = dialog(page).getByRole('group', { name: 'Two-step login' })
  await expect(row).toContainText('On.')
  await look(page, 'edit-user-two-step')
  await row.getByRole('button', { name: 'Remove…' }).click()
  await row.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row).toContainText('Off.')
  await expect(snackbar(page, 'Two-step login removed').first()).toBeVisible()
  await expect.poll(() => agency.mails().join('\n')).toContain('was reduced or turned off')
  await writer.close()
})
