import { expect, type Page } from '@playwright/test'
import { look } from './accessible.ts'
import { openList, row, signInAsAdmin } from './admin.ts'
import { type Agency, callAs, WRITER } from './agency.ts'
import { letters, printed } from './printed-pages.ts'
import { test } from './story.ts'
import { articleText, goToArticle, signIn, stored, versionRows } from './writer.ts'

/** One moment reads the same on every screen: in English, in the order and by the clock of the browser's region. */

const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
/** In an earlier year, so that every screen names the year. */
const AT = '2024-11-27T14:40:07.000Z'

/** Handed in by the writer, like everything else about the article, at that moment. */
async function handInThen(agency: Agency) {
  const { id } = stored(agency, ARTICLE)
  await callAs(agency, WRITER.email, 'PATCH', `/articles/${id}`, { completed: true })
  agency.change('update articles set updated_at = ?, revision_at = ? where id = ?', AT, AT, id)
  agency.change('update article_revisions set created_at = ? where article_id = ?', AT, id)
  agency.change('update hand_ins set at = ? where article_id = ?', AT, id)
  agency.change('update article_marks set handed_in_at = ? where article_id = ?', AT, id)
  agency.change('update audit set at = ? where subject_id = ?', AT, id)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name })

const READERS = [
  { locale: 'en-US', date: 'November 27, 2024', time: '2:40 PM', seconds: '2:40:07 PM' },
  { locale: 'en-GB', date: '27 November 2024', time: '14:40', seconds: '14:40:07' },
  { locale: 'de-DE', date: '27 November 2024', time: '14:40', seconds: '14:40:07' },
]

for (const { locale, date, time, seconds } of READERS) {
  test.describe(locale, () => {
    test.use({ locale, timezoneId: 'UTC' })

    test(`six screens and the print say ${date}, ${time}`, { tag: ['@CH-12', '@Q31'] }, async ({
      page,
      agency,
    }) => {
      await handInThen(agency)
      await signIn(page, agency.url, agency)
      const item = page.getByRole('listitem').filter({ hasText: ARTICLE })
      await page.getByPlaceholder('Find an article').fill(ARTICLE)
      await expect(item).toContainText(`Last modified ${date}`)
      await look(page, `dates-home-${locale}`)

      await goToArticle(page, agency.url, agency, ARTICLE)
      await expect(articleText(page)).toBeVisible()
      await expect(page.getByText(`Completed by ${WRITER.name}, ${date}`)).toBeVisible()
      await expect(async () => {
        const pages = await printed(page)
        expect(pages.map((each) => each.letters).join('')).toContain(
          letters(`Text from ${date}, ${time}`),
        )
      }).toPass()

      await button(page, 'Versions').click()
      const day = panel(page, 'Versions').getByRole('group', { name: date })
      await expect(versionRows(day).first()).toContainText(time)
      await page.getByRole('tab', { name: 'Log' }).click()
      await expect(page.getByRole('heading', { name: date })).toBeVisible()
      await expect(panel(page, 'Versions').getByRole('listitem').first()).toContainText(time)
      await page.keyboard.press('Escape')

      await button(page, 'Receipt').click()
      await expect(panel(page, 'Receipt')).toContainText(`on ${date} at ${seconds}.`)
      await look(page, `dates-receipt-${locale}`)

      await signInAsAdmin(page, agency)
      await openList(page, 'Progress')
      await page.getByRole('searchbox', { name: 'Search' }).fill(ARTICLE)
      const lastWords = row(page, ARTICLE).getByText(date)
      await expect(lastWords).toBeVisible()
      await expect(lastWords).toHaveAttribute('title', new RegExp(` at ${seconds}$`))
      await look(page, `dates-progress-${locale}`)

      await page.goto(`${agency.url}/admin/log?search=${encodeURIComponent(ARTICLE)}`)
      await expect(page.getByRole('rowheader', { name: date })).toBeVisible()
      await expect(page.getByRole('row').filter({ hasText: 'completed' })).toContainText(time)
      await look(page, `dates-log-${locale}`)
    })
  })
}
