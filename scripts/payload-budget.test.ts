import { build } from 'vite'
import { describe, expect, test } from 'vitest'
import { PAYLOAD_BUDGETS, type PageBudget, payloadBudget } from './payload-budget.ts'

/** A small page: two areas that share a part, one of them with a style, and one fetched later. */
const FILES: Record<string, string> = {
  '/web/main.tsx':
    "window.open1 = () => import('/web/a.tsx'); window.open2 = () => import('/web/b.tsx')",
  '/web/a.tsx':
    "import { shared } from '/web/shared.tsx'; export const a = shared + 'a'; export const later = () => import('/web/later.tsx')",
  '/web/b.tsx': "import { shared } from '/web/shared.tsx'; export const b = shared + 'b'",
  '/web/shared.tsx': `export const shared = '${'shared '.repeat(50)}'`,
  '/web/later.tsx': `export const later = '${Array.from({ length: 2_000 }, (_, n) => n * 7_919).join(' ')}'`,
}

async function buildWith(budgets: PageBudget[]): Promise<string> {
  const said: string[] = []
  await build({
    configFile: false,
    logLevel: 'silent',
    root: '/web',
    build: { write: false, rolldownOptions: { input: '/web/index.html' } },
    plugins: [
      {
        name: 'files',
        enforce: 'pre',
        resolveId: (id) => (id in FILES || id === '/web/index.html' ? id : null),
        load: (id) =>
          id === '/web/index.html'
            ? '<script type="module" src="/web/main.tsx"></script>'
            : (FILES[id] ?? null),
      },
      payloadBudget(budgets),
    ],
  }).catch((error: Error) => said.push(error.message))
  return said.join()
}

describe('the budget of a page', () => {
  test('fails the build that breaks it, and names the page', async () => {
    const budgets = [
      { page: 'first', modules: ['main.tsx', 'a.tsx'], kilobytes: 100 },
      { page: 'second', modules: ['main.tsx', 'b.tsx', 'later.tsx'], kilobytes: 2 },
    ]
    const said = await buildWith(budgets)
    expect(said).toContain('Too much to fetch')
    expect(said).toMatch(/second: \d+\.\d KB of 2/)
    expect(said).not.toContain('first')
  })

  test('leaves out what is fetched later', async () => {
    expect(await buildWith([{ page: 'first', modules: ['main.tsx', 'a.tsx'], kilobytes: 2 }])).toBe(
      '',
    )
  })

  test('refuses a table that names nothing of the build', async () => {
    const budgets = [{ page: 'first', modules: ['gone.tsx'], kilobytes: 100 }]
    expect(await buildWith(budgets)).toContain('No part of the page has web/gone.tsx')
  })
})

test('every page of the product has a budget', () => {
  expect(PAYLOAD_BUDGETS.map(({ page }) => page)).toEqual([
    'guest',
    'client home',
    'article',
    'admin',
    'progress',
    'batch',
  ])
})
