import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTING_NAMES } from '../api/config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the files around the code', () => {
  test('name one Node, which is new enough, and one npm', () => {
    const { engines, packageManager } = JSON.parse(read('package.json'))
    const [major = 0, minor = 0] = read('.nvmrc').trim().split('.').map(Number)
    const [least = 0, leastMinor = 0] = engines.node.match(/\d+/g).map(Number)
    expect(major > least || (major === least && minor >= leastMinor)).toBe(true)
    expect(packageManager).toMatch(/^npm@\d+\.\d+\.\d+$/)
  })

  test('the public CI runs the same tests as every contributor', () => {
    expect(read('.github/workflows/ci.yml')).toContain('- run: .ci/run\n')
    expect(existsSync(join(root, '.ci/run'))).toBe(true)
  })

  test('describe how to report a weakness, and that there is no license yet', () => {
    expect(read('SECURITY.md')).toContain('docs/security.md')
    expect(read('README.md').match(/license is the customer's to choose/g)).toHaveLength(1)
  })
})

describe('the containers', () => {
  const files = readdirSync(join(root, 'deploy'))

  test('set only settings that there are', () => {
    const ours = [...SETTING_NAMES, 'NODE_ENV', 'SERVERS', 'POSTGRES_USER', 'POSTGRES_DB']
    const known = [...ours, 'POSTGRES_PASSWORD', 'PROXY_SUBNET']
    const named = files
      .filter((name) => /\.yml$|^Dockerfile$/.test(name))
      .flatMap((name) => [
        ...read(`deploy/${name}`).matchAll(/(?:^ {6}|\$\{|ENV | )([A-Z][A-Z_]{3,})(?=[:=])/gm),
      ])
      .map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('start again unless they were stopped, with every setting of one file', () => {
    const compose = read('deploy/docker-compose.yml')
    expect(compose.match(/restart: (.+)/g)).toEqual(Array(2).fill('restart: unless-stopped'))
    expect(compose).toContain('env_file: .env')
  })

  test('have no file of settings and no secret of the folder that they are built from', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', 'node_modules', 'data', '**/.env', '**/.env.*']),
    )
  })
})
