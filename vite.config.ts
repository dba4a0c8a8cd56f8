import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa'
import { payloadBudget } from './scripts/payload-budget.ts'
import { selfCheck } from './scripts/self-check-file.ts'
import { startGuard } from './scripts/start-guard-file.ts'

type ManifestTransform = NonNullable<
  NonNullable<VitePWAOptions['injectManifest']['manifestTransforms']>[number]
>

/** The build for current browsers; the package's entry point is the one for browsers of ten years ago. */
export const DEXIE = { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }

/** The build without messages for developers; the package's entry point is the other. */
export const ROUTER = {
  find: /^react-router$/,
  replacement: fileURLToPath(
    new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url),
  ),
}

/** React itself exports the hook that the editor's binding imports from a shim. */
export const STORE_HOOK = { find: 'use-sync-external-store/shim/index.js', replacement: 'react' }

/** The modules whose path has one of these in it. */
const among = (...parts: string[]) => new RegExp(`/(${parts.join('|')})`)

/**
 * Few files per page: each one is a request to the service worker, and small ones compress badly. A group also takes
 * what its modules import; the rest is split by importer. The build checks the size of every page.
 */
const PAGE_FILES = [
  { name: 'start', tags: ['$initial' as const], priority: 4 },
  {
    name: 'shared',
    minShareCount: 2,
    test: among(
      // Excludes icons that are used only on agency and guest pages, in panels, or for due dates and notes.
      'lucide-react/dist/esm/(?!icons/(arrow-left|arrow-right|building|calendar|chevrons|copy|download|eye|file-spreadsheet|git-merge|key-round|message-square|pen-line|pencil|plus|trash|x\\.))',
      '@mantine/hooks/.*/use-(debounced-value|disclosure|id|os|uncontrolled|window-event)/',
      '@mantine/core/.*/(Input|Switch)/',
      'domain/(?!((?!wire/)\\w+/)(article-|canonical|carried-links|category-rule|changed-words|copied-text|csv|diff|document|docx-|due-date|enumerated|file-dates|folded-name|kept-letters|keyword-|block-words|line-ends|link|moments|name|sanitize|smart-|text-language|user|word-diff)|article-state|log-words|plan)',
      'web/ui/(buttons/next-tool|lists/use-steady-list|page/banner|words/figure|focus-fallback|people/initials-circle|words/last-modified|on-demand|buttons/panel-button)',
    ),
    priority: 3,
  },
  {
    name: 'client',
    test: among(
      // Neither guests nor the lists of the agency read texts.
      'domain/text/(article-text|canonical|carried-links|diff|document|link|sanitize)',
      'web/app/local.ts',
      'web/use-local-query.ts',
      'web/layout/(client-area|known-offline)',
      'web/unsent/(?!waiting-changes|outbox-words|blocked-text-actions|kept-text|lost-work|refused-because|unsent-file)',
      'web/ui/(buttons/text-button|words/minimum-text)',
    ),
    priority: 2,
  },
  { name: 'article', test: among('web/screens/article/article-screen'), priority: 1 },
  {
    // Only what all lists of the agency have, and not what that imports: pages of writers have some of it.
    name: 'agency',
    includeDependenciesRecursively: false,
    test: among(
      '@tanstack/',
      '@mantine/core/.*/(Combobox|MultiSelect|Select|Tooltip)/',
      'web/remote/(articles|clients|program-tokens|progress|undelivered-texts|users)',
      'web/screens/admin/(list/(list-page|list-address|narrowed|use-(fresh|list|name-search))|use-(change|remote))',
      'web/ui/(lists/data-table|lists/list-card|buttons/more-option|buttons/row-action|people/same-names|lists/use-typed-list)',
    ),
    priority: 0,
  },
]

/**
 * Files that are preloaded with the part that needs them, which would request them later. All that dialogs need is
 * preloaded: the connection may fail at any moment. Of the first script's imports only the large files are: naming the
 * small ones takes a kilobyte.
 */
const preloaded = (_part: string, needed: string[], { hostId }: { hostId: string }) =>
  /\/index-[^/]+$/.test(hostId)
    ? needed.filter((file) => /\/(shared|client|article|Modal)-[^/]+$/.test(file))
    : needed

export default defineConfig({
  root: 'web',
  resolve: { alias: [DEXIE, ROUTER, STORE_HOOK] },
  build: {
    outDir: '../dist/public',
    emptyOutDir: true,
    target: 'es2022',
    // First versions with :dir() and :has(), which give a list the direction of its first item.
    cssTarget: ['chrome120', 'firefox121', 'safari17.2'],
    modulePreload: { polyfill: false, resolveDependencies: preloaded },
    // The page's policy loads fonts and pictures from files only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [{ test: /use-sync-external-store/, sideEffects: false }],
        // Drops warnings of libraries for their developers; errors stay.
        manualPureFunctions: ['console.warn'],
      },
      output: { codeSplitting: { groups: PAGE_FILES } },
    },
  },
  server: { port: 5173, proxy: { '/v1': 'http://localhost:3000' } },
  plugins: [react(), startGuard(), selfCheck(), pwa(), payloadBudget(), compressed()],
})

/**
 * `web/sw.ts` gets the list of all files with their digests. A new worker waits until a page sends it the message to
 * take over; it is written as one file because a worker under Trusted Types may not load further scripts by name.
 */
function pwa() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'sw.ts',
    injectRegister: false,
    registerType: 'prompt',
    manifest: {
      id: '/',
      name: 'Contūn Articles',
      short_name: 'Contūn',
      description: 'A quiet place to write.',
      lang: 'en',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#0f2a30',
      theme_color: '#fefefc',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
      screenshots: [
        screenshot('client-home', 'Your articles, and how far each one is'),
        screenshot('article', 'An article with its scorecard'),
      ],
      shortcuts: [
        { name: 'Home', url: '/' },
        { name: 'Edit Account', url: '/client/profile' },
      ],
    },
    injectManifest: { globPatterns: ['**/*.{js,css,html,svg,png,woff2,webmanifest}'] },
    integration: {
      beforeBuildServiceWorker({ injectManifest }) {
        // They are among the files, and have no digest.
        injectManifest.additionalManifestEntries = []
        injectManifest.manifestTransforms = [withDigests(injectManifest.globDirectory)]
      },
    },
  })
}

/**
 * Writes every script and style sheet also as `.br` and `.gz`, at the highest compression level. The server sends these files
 * and does not have to compress them on the first request after a start.
 */
function compressed() {
  return compression({
    include: /^assets\/.+\.(js|css)$/,
    algorithms: ['brotliCompress', 'gzip'],
    threshold: 0,
    skipIfLargerOrEqual: true,
    logLevel: 'silent',
  })
}

/** Shown by browsers that ask whether to install the app. Made by scripts/make-pictures.mjs. */
function screenshot(name: string, label: string) {
  const file = { src: `/screenshots/${name}.jpg`, sizes: '1440x900', type: 'image/jpeg', label }
  return { ...file, form_factor: 'wide' as const }
}

/** Every entry of the worker's list gets the digest of its file; the server puts that of the shell right. */
function withDigests(folder: string): ManifestTransform {
  return (entries) => ({
    manifest: entries.map(({ url, size }) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, url)))
      return { url, revision: null, integrity: `sha256-${hash.digest('base64')}`, size }
    }),
  })
}
