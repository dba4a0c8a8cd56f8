import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { look } from './accessible.ts'
import { openList, row, signInAsAdmin } from './admin.ts'
import { ADMIN, callAs, startAgency, unquoted, WRITER } from './agency.ts'
import { test as base } from './story.ts'
import { bringSession, stored } from './writer.ts'

/** Mails about articles: the choice, the link that stops them, and what admins see of their delivery. */

async function mailServer() {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: async (stream, _session, done) => {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part)
      taken.push(Buffer.concat(parts).toString('utf8'))
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { taken, url: `smtp://127.0.0.1:${port}`, close: () => server.close() }
}

/** The agency sends its mails to `mails`. */
const test = base.extend<{ mails: Awaited<ReturnType<typeof mailServer>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what a fixture needs
  async mails({}, use) {
    const mails = await mailServer()
    await use(mails)
    mails.close()
  },

  async agency({ mails, browser }, use) {
    const agency = await startAgency({ SMTP_URL: mails.url })
    await use(agency)
    await Promise.all(browser.contexts().map((context) => context.close()))
    await agency.close()
  },
})

const ARTICLE = 'Twelve Ferns for a Shaded Wall'

test('a writer stops mails by the link in one, and chooses others in Edit Account', async ({
  page,
  browser,
  agency,
  mails,
}) => {
  const { id } = stored(agency, ARTICLE)
  await callAs(agency, WRITER.email, 'PATCH', `/articles/${id}`, { completed: true })
  await callAs(agency, ADMIN, 'PATCH', `/articles/${id}`, { completed: false })
  agency.change('delete from article_news where article_id <> ?', id)
  agency.change("update article_news set at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-11 minutes')")
  const source = () => mails.taken.find((mail) => mail.includes(ARTICLE))
  await expect.poll(source, { timeout: 20_000 }).toBeDefined()
  const link = /Stop these mails: (\S+)/.exec(unquoted(source() ?? ''))?.[1] ?? ''
  await page.goto(link.replace(/^https?:\/\/[^/]+/, agency.url))
  await expect(page.getByText(`For ${WRITER.email}.`)).toBeVisible()
  await look(page, 'stop-mails')
  await page.getByRole('button', { name: 'Stop these mails' }).click()
  await expect(page.getByText('You get no more mails about articles.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Stop these mails' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop these mails' }).click()
  await expect(page.getByText('You get no more mails about articles.')).toBeVisible()

  const own = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await bringSession(own, agency.url, agency)
  await own.goto(`${agency.url}/client/profile`)
  const choice = (name: string) => own.getByRole('radio', { name, exact: true })
  await expect(choice('None')).toBeChecked()
  await choice('None').focus()
  await own.keyboard.press('ArrowUp')
  await expect(choice('Daily')).toBeChecked()
  await expect(own.getByText('Saved', { exact: true })).toBeVisible()
  await look(own, 'mails-writer')
  await own.reload()
  await expect(choice('Daily')).toBeChecked()
})

test('an admin follows clients, and sees that mails do not leave or arrive', async ({
  page,
  agency,
  mails,
}) => {
  mails.close()
  agency.change(
    "insert into meta (key, value) values ('mails_failing_since', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
  )
  agency.change('insert into mail_bounces (address, bounces) values (?, 3)', WRITER.email)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAsAdmin(page, agency)
  await expect(page.getByText(/^Mails have not left since /)).toBeVisible()
  await look(page, 'mails-home')
  await openList(page, 'Users')
  await expect(row(page, WRITER.name).getByText('Mails don’t arrive')).toBeVisible()
  await look(page, 'mails-users')

  await page.goto(`${agency.url}/client/profile`)
  await page.getByRole('radio', { name: 'At once and daily' }).check()
  await expect(
    page.getByText('You follow no client, so only the morning mail comes.'),
  ).toBeVisible()
  await page.getByRole('combobox', { name: 'Clients you follow' }).click()
  await page.getByRole('option', { name: 'Larkspur Gardens' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await look(page, 'mails-admin')
  await page.reload()
  await expect(page.getByText('Larkspur Gardens')).toBeVisible()
})
