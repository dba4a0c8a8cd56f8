import { call, tokenOf } from './rig.mjs'

/** A writer with articles on a product server, and how the writer comes in. */

export const WRITER = { email: 'imogen@contun.example', password: 'a river of ink' }

/** Makes the writer and these `articles` (name, articleText, keywordList); answers their ids in order. */
export async function fillAgency(url, articles) {
  const office = await tokenOf(url)
  const ask = (method, path, body) => call(url, method, path, body, office)
  const writer = await ask('POST', '/users', { ...WRITER, name: 'Imogen Hale', role: 'user' })
  const client = await ask('POST', '/clients', { name: 'Larkspur Gardens' })
  await ask('PATCH', `/clients/${client.id}`, { users: [writer.id] })
  const ids = []
  for (const article of articles) {
    const { id } = await ask('POST', '/articles', {
      clientId: client.id,
      wordMinimum: 0,
      ...article,
    })
    ids.push(id)
  }
  return ids
}

export async function signIn(page, url) {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(WRITER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(WRITER.password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((address) => address.pathname === '/client/home')
}
