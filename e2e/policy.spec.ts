import { expect, test } from '@playwright/test'
import { type Agency, startAgency } from './agency.ts'
import { collectViolations } from './policy.ts'

let agency: Agency

test.beforeAll(async () => {
  agency = await startAgency()
})
test.afterAll(() => agency.close())

test('a page that is made to break its policy is refused, and that is noticed', async ({
  context,
  page,
}) => {
  const violations = await collectViolations(context)
  await page.goto(`${agency.url}/login`)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  expect(violations).toEqual([])
  await page.evaluate(() => {
    const image = new Image()
    image.src = 'http://elsewhere.example/x.png'
    document.body.append(image)
  })
  await expect.poll(() => violations.join()).toContain('img-src http://elsewhere.example/x.png')
})
