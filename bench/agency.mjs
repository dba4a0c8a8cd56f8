import { call, tokenOf } from './rig.mjs'

/** A writer with articles on a product server, and how the writer comes in. */

export const WRITER = { email: 'imogen@contun.example', password: 'a river of ink' }

/** Creates the writer and these `articles` (name, articleText, keywordList); returns their ids in order. */
export async function fillAgency(url, articles) {
  const office = await tokenOf(url)
  const ask = (method, path, body) => call(url, method, path, body, office)
  const writer = await ask('POST', '/users', { ...WRITER, name: 'Imogen Hale', role: 'user' })
  const client = await ask('POST', '/clients', { name: 'Larkspur Gardens' })
  await ask('PATCH', `/clients/${client.id}`, { users: [writer.id] })
  const ids = []
  for (const { keywordList, ...article } of articles) {
    const { id } = await ask('POST', '/articles', {
      clientId: client.id,
      wordMinimum: 0,
      ...article,
    })
    if (keywordList) await ask('PATCH', `/articles/admin/${id}`, { keywordList })
    ids.push(id)
  }
  return ids
}

/** As the writer, or as the office (an admin). */
export async function signIn(page, url, { email, password } = WRITER) {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((address) => /\/(client|admin)\//.test(address.pathname))
}
