import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Agency, WRITER } from '../agency.ts'
import { stored } from '../writer.ts'
import { names } from './names.ts'
import { type Tab, until } from './tab.ts'

/** What a user does with the product, in these browsers. */

export const LIGHTING = 'A Quiet Guide to Garden Path Lighting'

export async function logIn(tab: Tab, url: string, agency: Agency, email = WRITER.email) {
  await tab.goTo(`${url}/login`)
  await tab.fill(names.email, email)
  await tab.fill(names.password, agency.passwordOf(email))
  await tab.click(names.login)
}

/** As someone who logged in before. */
export async function bringSession(tab: Tab, url: string, agency: Agency, email = WRITER.email) {
  // A page of the same origin that runs nothing.
  await tab.goTo(`${url}/icon-192.png`)
  const session = JSON.stringify(agency.sessionOf(email))
  await tab.evaluate((record: string) => localStorage.setItem('user', record), session)
}

export const articleAddress = (url: string, agency: Agency, name = LIGHTING) =>
  `${url}/client/article/${stored(agency, name).id}`

export async function openArticle(tab: Tab, url: string, agency: Agency, name = LIGHTING) {
  await tab.goTo(articleAddress(url, agency, name))
  await tab.sees(names.text)
}

/** Types behind the last character. */
export async function write(tab: Tab, typed: string) {
  await tab.click(names.text)
  await tab.press('Control+End')
  await tab.type(typed)
  await tab.reads(typed.trim())
}

export const isStored = (agency: Agency, words: string, name = LIGHTING) =>
  until(`'${words}' on the server`, async () => stored(agency, name).text.includes(words))

/** Every file is fetched and verified, which takes a busy machine its time. */
const INSTALL_MS = 180_000

/** Waits until the service worker holds the whole application, so that it starts without a server. */
export async function isInstalled(tab: Tab) {
  const look = () =>
    tab.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return registration?.active?.state === 'activated' && !registration.installing
    })
  await until('the installed application', look, INSTALL_MS)
}

/** Takes the one file that was downloaded out of the folder, once the browser has written all of it. */
export async function downloaded(folder: string): Promise<string> {
  return until('a downloaded file', async () => {
    const [name = '', ...others] = readdirSync(folder)
    if (name === '' || others.length > 0 || /\.(part|wkdownload)$/.test(name)) return null
    const path = join(folder, name)
    const content = readFileSync(path, 'utf8')
    if (content !== '') rmSync(path)
    return content
  })
}
