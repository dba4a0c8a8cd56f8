import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

test('the page is built with the libraries of the specification', { tags: ['@SY-01'] }, () => {
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining([
      '@tiptap/react',
      '@tiptap/starter-kit',
      'dexie',
      'dexie-react-hooks',
      'ky',
      'papaparse',
      'react',
      'react-dom',
      'react-router-dom',
      'workbox-window',
      'zustand',
    ]),
  )
  expect(Object.keys(devDependencies)).toContain('vite-plugin-pwa')
})

test('the server is built with the libraries of the specification', { tags: ['@SY-02'] }, () => {
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining([
      '@hono/node-server',
      'bcryptjs',
      'better-sqlite3',
      'hono',
      'jose',
      'kysely',
    ]),
  )
})

test('tests are built with the libraries of the specification', { tags: ['@SY-03'] }, () => {
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(['fake-indexeddb', 'vitest']))
})
