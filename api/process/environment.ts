import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, type Environment, SETTING_NAMES, SETTINGS } from '../config.ts'

const SECRET_NAMES = SETTING_NAMES.filter((name) => SETTINGS[name].isSecret)
const fileName = (name: string) => `${name}_FILE`
const KNOWN = [...SETTING_NAMES, ...SECRET_NAMES.map(fileName)]

/**
 * The settings, in order of precedence: the process, `.env` in `folder`, `otherwise`. A secret with NAME_FILE is read
 * from that file, without its final line break. Throws ConfigError.
 */
export function readEnvironment(
  given: Environment,
  otherwise: Environment = {},
  folder = process.cwd(),
): Environment {
  return withSecretFiles({ ...otherwise, ...settingsOf(join(folder, '.env')), ...given })
}

/** Parses NAME=value lines with shell quoting. */
function settingsOf(file: string): Environment {
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  } catch (fault) {
    throw new ConfigError(file, `cannot be read (${(fault as Error).message})`)
  }
}

/** As `readEnvironment`, without `.env`. */
export function withSecretFiles(env: Environment): Environment {
  return { ...env, ...Object.fromEntries(SECRET_NAMES.flatMap((name) => secretOf(name, env))) }
}

function secretOf(name: string, env: Environment): [string, string][] {
  const file = env[fileName(name)]
  if (file === undefined || file === '') return []
  if (env[name] !== undefined && env[name] !== '') {
    throw new ConfigError(fileName(name), `must not be set where ${name} is`)
  }
  try {
    return [[name, readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')]]
  } catch (fault) {
    throw new ConfigError(fileName(name), `cannot be read (${(fault as Error).message})`)
  }
}

export type Misspelt = { name: string; nearest: string }

/**
 * Variables whose names are close to a setting, each with that setting. Settings of four letters and less are not
 * compared, because too many unrelated names are close to them.
 */
export function misspeltSettings(env: Environment): Misspelt[] {
  return Object.keys(env).flatMap((name) => {
    if (env[name] === undefined || KNOWN.includes(name)) return []
    const nearest = KNOWN.filter((known) => known.length > 4)
      .map((known) => ({ known, distance: distance(name.toUpperCase(), known) }))
      .filter(({ known, distance }) => distance <= allowedDistance(known))
      .sort((a, b) => a.distance - b.distance)[0]
    return nearest ? [{ name, nearest: nearest.known }] : []
  })
}

function allowedDistance({ length }: string): number {
  if (length < 9) return 1
  return length < 13 ? 2 : 3
}

/** Edit distance with transpositions (optimal string alignment); infinite when the lengths differ by more than 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const at = (line: number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[b.length] ?? Number.POSITIVE_INFINITY
}
