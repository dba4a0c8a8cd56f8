import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The root of the source tree, whether this file runs from there or compiled. Data is read from there. */
export function packageFolder(folder = import.meta.dirname): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder))
}
