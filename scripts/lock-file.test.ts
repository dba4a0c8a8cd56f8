import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Locked = { optionalDependencies?: Record<string, string>; integrity?: string }

const packages: Record<string, Locked> = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
).packages

/**
 * `npm ci` refuses a lock file that leaves out the parts of a package for other systems, and `npm install`
 * drops them silently where its registry does not have them.
 */
test('the lock file names the parts of every package for every system', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})

/** A package without a digest is installed unverified. */
test('the lock file has the digest of every package, also of those for other systems', () => {
  const without = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  )
  expect(without.map(([path]) => path)).toEqual([])
})
