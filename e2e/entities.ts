import { expect, type Locator, type Page } from '@playwright/test'
import type { Agency } from './agency.ts'

/** What an admin does with the entities of an article. */

export const ARTICLE = 'A Quiet Guide to Garden Path Lighting'
export const SUCCESSFUL = 'Upload successful, click "Modify" to save any changes.'

export async function findArticle(page: Page, agency: Agency, name: string) {
  await page.goto(`${agency.url}/admin/articles`)
  await page.getByRole('searchbox', { name: 'Search' }).fill(name)
  await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeVisible()
}

export async function openEntities(page: Page, agency: Agency, name = ARTICLE): Promise<Locator> {
  await findArticle(page, agency, name)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
  await dialog.getByRole('tab', { name: 'Entities' }).click()
  await expect(dialog.getByRole('heading', { name: 'Upload a CSV Entity List' })).toBeVisible()
  return dialog
}

export async function choose(dialog: Locator, content: string | Buffer, name = 'entities.csv') {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : ''
  const buffer = typeof content === 'string' ? Buffer.from(content) : content
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
}

export const rows = (dialog: Locator) =>
  dialog.getByRole('table', { name: 'Keywords' }).locator('tbody tr')
export const texts = async (dialog: Locator) =>
  (await rows(dialog).allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/))
export const count = (dialog: Locator) => dialog.getByRole('heading', { name: /^Keywords \d/ })

/** As many rows as a real list of a campaign has, made of words of the trade. */
export function realList(size: number): string[][] {
  const first = [
    'garden',
    'path',
    'solar',
    'low voltage',
    'warm white',
    'outdoor',
    'LED',
    'driveway',
  ]
  const second = [
    'lighting',
    'lights',
    'ideas',
    'spacing',
    'transformer',
    'fixtures',
    'glare',
    'cost',
  ]
  return Array.from({ length: size }, (_, index) => {
    const keyword = `${first[index % 8]} ${second[Math.floor(index / 8) % 8]} ${Math.floor(index / 64)}`
    return [keyword, 'EIX'[index % 3] ?? 'X', String((index * 7) % 100)]
  })
}

export const csv = (list: string[][], separator = ',') =>
  list.map((row) => row.join(separator)).join('\r\n')
export const HEADERS = ['Keyword', 'Source', 'Score']

/** Encodes text in a single-byte encoding; `signs` are the codes of characters beyond Latin-1. */
export const bytesOf = (text: string, signs: Record<string, number>) =>
  Buffer.from(Array.from(text, (sign) => signs[sign] ?? sign.charCodeAt(0)))
