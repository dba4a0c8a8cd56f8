import { expect, type Locator } from '@playwright/test'
import { test } from './story.ts'
import { articleText, signInToArticle } from './writer.ts'

/** Articles in scripts that run from the right, or put no spaces between words. */

const directionOf = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).direction)

const text = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const list = (type: string, ...items: string[]) => ({
  type,
  ...(type === 'orderedList' && { attrs: { start: 1, type: null } }),
  content: items.map((words) => ({ type: 'listItem', content: [text(words)] })),
})
const LINES = {
  Hebrew: ['אור בגינה', 'האור הטוב ביותר בגינה מגיע מלמטה.', 'פנס', 'שביל'],
  Arabic: ['ضوء الحديقة', 'أفضل ضوء في الحديقة يأتي من الأسفل.', 'مصباح', 'ممر'],
} as const

for (const [script, [title, words, one, two]] of Object.entries(LINES)) {
  test(`each block of an article in ${script} runs from the right, and English ones from the left`, async ({
    page,
    agency,
  }) => {
    const article = agency.articles()[0]
    if (!article) throw new Error('The demo has articles')
    const document = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: title }] },
        text(words),
        list('bulletList', one, two),
        list('orderedList', one, two),
        { type: 'blockquote', content: [text(words)] },
        text('And a line in English.'),
      ],
    }
    agency.change(
      'update articles set name = ?, name_folded = ?, article_text = ?, keyword_list = ? where id = ?',
      title,
      title,
      JSON.stringify(document),
      JSON.stringify([{ keyword: one, source: 'E', score: 4, category: 'Must Use' }]),
      article.id,
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await signInToArticle(page, agency.url, agency, title)
      const blocks = articleText(page)
      for (const block of ['h2', 'p >> nth=0', 'ul', 'ul li >> nth=0', 'ol', 'blockquote']) {
        expect(await directionOf(blocks.locator(block).first()), block).toBe('rtl')
      }
      expect(await directionOf(blocks.getByText('And a line in English.'))).toBe('ltr')
      expect(await directionOf(page.getByRole('heading', { level: 1, name: title }))).toBe('rtl')
      await expect(page.getByRole('button', { name: `${one} (used)` })).toBeVisible()
      // What is printed is prepared once the text is open.
      await expect(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
        await expect(page.locator('.print-title')).toHaveCSS('direction', 'rtl', { timeout: 500 })
      }).toPass({ timeout: 15_000 })
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    }
  })
}
