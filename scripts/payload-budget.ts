import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** What one kind of page fetches until it is displayed: modules of web/, with all their static imports. */
export type PageBudget = { page: string; modules: readonly string[]; kilobytes: number }

const MAIN = 'main.tsx'
const CLIENT = [
  MAIN,
  'app/local.ts',
  'layout/account-menu.tsx',
  'layout/known-offline.tsx',
  'layout/client-area.tsx',
]

const AGENCY = [MAIN, 'layout/account-menu.tsx', 'layout/admin-area.tsx']

/** Kilobytes (1,000 bytes) of scripts and styles after gzip. A page with several screens counts them all. */
export const PAYLOAD_BUDGETS: readonly PageBudget[] = [
  {
    page: 'guest',
    kilobytes: 166,
    modules: [
      MAIN,
      'layout/guest-layout.tsx',
      'screens/guest/guest-home.tsx',
      'screens/guest/login.tsx',
      'screens/guest/register.tsx',
      'screens/guest/forgot-password.tsx',
      'screens/guest/reset-password.tsx',
    ],
  },
  {
    page: 'client home',
    kilobytes: 246,
    modules: [...CLIENT, 'screens/client/client-home.tsx'],
  },
  {
    page: 'article',
    kilobytes: 389,
    modules: [...CLIENT, 'screens/article/article-screen.tsx'],
  },
  {
    page: 'admin',
    kilobytes: 275,
    modules: [
      ...AGENCY,
      'screens/admin/home/admin-home.tsx',
      'screens/admin/articles/articles-screen.tsx',
      'screens/admin/users/users-screen.tsx',
      'screens/admin/clients/clients-screen.tsx',
      'screens/admin/undelivered-texts/undelivered-texts-screen.tsx',
    ],
  },
  {
    page: 'progress',
    kilobytes: 333,
    modules: [...AGENCY, 'screens/admin/progress/progress-screen.tsx'],
  },
  {
    page: 'batch',
    kilobytes: 365,
    modules: [...AGENCY, 'screens/admin/batch/batch-screen.tsx'],
  },
]

type BuiltFile = Rolldown.OutputChunk | Rolldown.OutputAsset
export type Payload = { page: string; bytes: number; allowed: number }

/** Throws on a module that no chunk has: a table that names nothing would allow everything. */
export function payloads(
  bundle: Readonly<Record<string, BuiltFile>>,
  budgets: readonly PageBudget[],
): Payload[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')

  function chunkOf(module: string): string {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => isModule(id, module)))
    if (chunk) return chunk.fileName
    throw new Error(`No part of the page has web/${module}`)
  }

  function addWithImports(fileName: string, files: Set<string>): void {
    const file = bundle[fileName]
    if (!file || files.has(fileName)) return
    files.add(fileName)
    if (file.type !== 'chunk') return
    for (const imported of file.imports) addWithImports(imported, files)
    for (const style of stylesOf(file)) addWithImports(style, files)
  }

  return budgets.map(({ page, modules, kilobytes }) => {
    const files = new Set<string>()
    for (const module of modules) addWithImports(chunkOf(module), files)
    const bytes = [...files].reduce((sum, name) => sum + gzippedSize(bundle[name]), 0)
    return { page, bytes, allowed: kilobytes * 1_000 }
  })
}

const isModule = (id: string, module: string): boolean => id.endsWith(`/web/${module}`)

function stylesOf(chunk: Rolldown.OutputChunk): Iterable<string> {
  return chunk.viteMetadata?.importedCss ?? []
}

function gzippedSize(file: BuiltFile | undefined): number {
  if (!file) return 0
  return gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length
}

export function payloadBudget(budgets = PAYLOAD_BUDGETS): Plugin {
  return {
    name: 'payload-budget',
    apply: 'build',
    // Runs after all other plugins that change the files, such as the one for fetched parts of pages.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const rows = payloads(bundle, budgets)
        this.info(`\n${rows.map(line).join('\n')}`)
        const over = rows.filter(({ bytes, allowed }) => bytes > allowed)
        if (over.length > 0) this.error(`Too much to fetch:\n${over.map(line).join('\n')}`)
      },
    },
  }
}

const line = ({ page, bytes, allowed }: Payload): string =>
  `  ${page}: ${(bytes / 1_000).toFixed(1)} KB of ${allowed / 1_000}`
