import { expect } from '@playwright/test'
import { test } from './story.ts'

test.use({ ownAgency: false })

test('violations of the content security policy are blocked and detected in every context', {
  tag: ['@main'],
}, async ({ page, browser, policy, agency }) => {
  const elsewhere = await browser.newContext()
  for (const broken of [page, await elsewhere.newPage()]) {
    await broken.goto(`${agency.url}/login`)
    await expect(broken.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    expect(policy).toEqual([])
    await broken.evaluate(() => {
      const image = new Image()
      image.src = 'http://elsewhere.example/x.png'
      document.body.append(image)
    })
    await expect.poll(() => policy.join()).toContain('img-src http://elsewhere.example/x.png')
    policy.splice(0)
  }
  await elsewhere.close()
})
