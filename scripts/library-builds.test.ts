import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import * as react from 'react'
import { expect, test } from 'vitest'
import { DEXIE, ROUTER, STORE_HOOK } from '../vite.config.ts'

/** The page is built from other files of these packages than those that they name: both must offer the same. */

const { resolve } = createRequire(import.meta.url)
const namesOf = async (file: string) =>
  Object.keys(await import(/* @vite-ignore */ pathToFileURL(file).href)).sort()

test('the modern build of Dexie exports what the package does, but for Yjs', async () => {
  const named = await namesOf(resolve('dexie').replace(/dist\/.*$/, 'import-wrapper.mjs'))
  const used = named.filter((name) => name !== 'DexieYProvider')
  expect(used).toContain('liveQuery')
  expect(await namesOf(resolve(DEXIE.replacement))).toEqual(expect.arrayContaining(used))
})

test('the production build of the router exports what the package does', async () => {
  const named = Object.keys(createRequire(import.meta.url)('react-router')).sort()
  expect(named).toContain('createBrowserRouter')
  expect(await namesOf(ROUTER.replacement)).toEqual(expect.arrayContaining(named))
})

test('React has all that the replacement of its store hook exports', () => {
  const named = Object.keys(createRequire(import.meta.url)(STORE_HOOK.find))
  expect(named).toEqual(['useSyncExternalStore'])
  expect(Object.keys(react)).toEqual(expect.arrayContaining(named))
})
