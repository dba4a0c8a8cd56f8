import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readConfig, readFirstAdmin, SETTING_NAMES, SETTINGS } from '../api/config.ts'

/**
 * The table of the README and `.env.example` are written from the table of api/config.ts:
 * `npx vitest run --project sqlite scripts/settings.test.ts -u`
 */
const root = join(import.meta.dirname, '..')

const rows = SETTING_NAMES.map((name) => {
  const { standard, shown, meaning, isSecret } = SETTINGS[name]
  return { name, standard, shown: shown ?? standard ?? '', meaning, isSecret }
})

const readmeTable = [
  '| Variable | Default | Meaning |',
  '|---|---|---|',
  ...rows.map(({ name, shown, meaning }) => `| ${name} | ${shown} | ${meaning} |`),
].join('\n')

const example = [
  '# Copy this file to .env in the folder of package.json. Variables of the process override it.',
  '# Quotes around a value are removed. For a secret, NAME_FILE may name a file that contains it.',
  ...rows.flatMap(({ name, standard, shown, meaning, isSecret }) => [
    '',
    `# ${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
    ...(standard === shown ? [] : [`# Default: ${shown}.`]),
    ...(isSecret ? [`# Or ${name}_FILE.`] : []),
    `# ${name}=${quoted(standard ?? '')}`,
  ]),
  '',
].join('\n')

function quoted(value: string): string {
  return /[\s#&]/.test(value) ? `"${value}"` : value
}

describe('the documents of the settings', () => {
  test('the README has the table of api/config.ts', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const table = /\| Variable \| Default \| Meaning \|\n(?:\|.*\n)*/
    expect(readme).toMatch(table)
    await expect(readme.replace(table, () => `${readmeTable}\n`)).toMatchFileSnapshot(
      join(root, 'README.md'),
    )
  })

  test('.env.example has every setting', async () => {
    await expect(example).toMatchFileSnapshot(join(root, '.env.example'))
  })

  test('.env.example without its marks is a file of settings that start the server', () => {
    const lines = example.split('\n').flatMap((line) => /^# ([A-Z_]+=.+)$/.exec(line)?.[1] ?? [])
    const env = parseEnv(lines.join('\n'))
    expect(readConfig(env)).toEqual(readConfig({}))
    expect(readFirstAdmin(env)).toEqual(readFirstAdmin({}))
  })
})
