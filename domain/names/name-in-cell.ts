import { VISIBLE } from '../text/characters.ts'
import { CONTROLS, cleanName, OVERRIDES } from './name.ts'

const EVERY_CONTROL = new RegExp(CONTROLS, 'gu')
const EVERY_OVERRIDE = new RegExp(OVERRIDES, 'gu')

/** Returns the name as stored, in one line; '' if it has no visible characters. */
export function nameIn(cell: string): string {
  const name = cleanName(cell.replace(EVERY_CONTROL, ' ').replace(EVERY_OVERRIDE, ''))
  return VISIBLE.test(name) ? name : ''
}
