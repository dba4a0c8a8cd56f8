import { VISIBLE } from '../text/characters.ts'
import { CONTROLS, cleanName, OVERRIDES } from './name.ts'

const EVERY_CONTROL = new RegExp(CONTROLS, 'gu')
const EVERY_OVERRIDE = new RegExp(OVERRIDES, 'gu')

/** A name in one line as it is stored; '' when nothing of it can be seen. */
export function nameIn(cell: string): string {
  const name = cleanName(cell.replace(EVERY_CONTROL, ' ').replace(EVERY_OVERRIDE, ''))
  return VISIBLE.test(name) ? name : ''
}
