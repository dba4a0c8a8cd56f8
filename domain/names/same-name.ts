import { cleanName } from './name.ts'

/**
 * Texts of two names are equal when the names are the same but for case, Unicode form and kind of space. Accents count.
 * Equal texts come from names with the same `foldName`, so an index of that finds every candidate.
 */
export const caseless = (name: string): string =>
  cleanName(name)
    .replace(/\s/gu, ' ')
    // Upper case first: `ß` and `SS` are the same letters only there.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .normalize('NFC')
