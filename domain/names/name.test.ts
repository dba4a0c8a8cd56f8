import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { nameSchema } from '../wire/fields.ts'
import { compareNames, foldName } from './folded-name.ts'
import { cleanName, searchText, trimUnseen } from './name.ts'

describe('a name as it is stored', () => {
  it.each([
    ['Zoe\u0308', 'Zoë'],
    ['\ufeffImogen Hale', 'Imogen Hale'],
    ['\u202aImogen Hale\u202c', 'Imogen Hale'],
    ['\u2066Imogen Hale\u2069\u200f', 'Imogen Hale'],
    ['\tImogen Hale\t\r\n', 'Imogen Hale'],
    ['\u200b \u2060Imogen\u200b Ha\u200ele\u2060\u00a0', 'Imogen Hale'],
    ['Mill\ufeff & Hearth', 'Mill & Hearth'],
    // Kept where the script requires them, or as part of the preceding character.
    ['\u200fדנה\u200f!\u200f כהן\u200f', 'דנה\u200f!\u200f כהן'],
    ['ABC \u200fدانا\u200e (1)', 'ABC \u200fدانا\u200e (1)'],
    ['สวน\u200bสวย\u200b', 'สวน\u200bสวย'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['Love ❤\ufe0f', 'Love ❤\ufe0f'],
    ['👩\u200d🌾', '👩\u200d🌾'],
    [
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('%j is %j', (typed, stored) => {
    expect(cleanName(typed)).toBe(stored)
    expect(nameSchema.parse(typed)).toBe(stored)
  })

  it.each([
    ['Ada\u202eevil', 'hidden characters that change the direction'],
    ['\u202aAda\u202c Lovelace', 'hidden characters that change the direction'],
    ['Ada\u2067x\u2069y', 'hidden characters that change the direction'],
    ['a\u0000b', 'characters that are not allowed'],
    ['a\u0000', 'characters that are not allowed'],
    ['a\tb', 'characters that are not allowed'],
    ['a\ud800b', 'characters that are not allowed'],
    ['\u200f\u2060', '"name" is required'],
  ])('%j is refused with a message', (name, words) => {
    expect(
      nameSchema
        .safeParse(name)
        .error?.issues.map(({ message }) => message)
        .join(),
    ).toContain(words)
  })

  it('is unchanged when cleaned again, and the same from every Unicode form', () => {
    const sign = fc.constantFrom(
      '\u200f',
      '\u200b',
      '\ufeff',
      '\u0301',
      'e',
      'א',
      'ก',
      ' ',
      '\t',
      '\u202e',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(sign).map((signs) => signs.join('')),
    )
    fc.assert(
      fc.property(text, (name) => {
        const clean = cleanName(name)
        expect(cleanName(clean)).toBe(clean)
        expect(clean).toBe(clean.normalize('NFC'))
        expect(cleanName(name.normalize('NFD'))).toBe(cleanName(name.normalize('NFC')))
      }),
      { numRuns: randomRuns(5_000), seed: 6 },
    )
  })

  it('takes no longer for blanks inside', () => {
    const name = `a${' '.repeat(500_000)}b`
    expect(trimUnseen(name)).toHaveLength(name.length)
  })
})

describe('the letters of a name', () => {
  it.each([
    ['İstanbul', 'istanbul', 'ISTANBUL', 'i\u0307stanbul'],
    ['Zoë', 'zoe\u0308', 'ZOE'],
    ['Ąžuolas', 'a\u0328z\u030cuolas', 'azuolas'],
    ['Łódź', 'lodz', 'ŁO\u0301DZ\u0301'],
    ['Smørrebrød', 'smorrebrod'],
    ['Cæsar', 'caesar', 'CÆSAR', 'cǽsar'],
    ['Straße', 'STRASSE', 'straẞe'],
    ['Ёлка', 'елка', 'Е\u0308лка'],
    ['Đorđe', 'dorde'],
    ['שָׁלוֹם', 'שלום\u200f'],
    ['Ho\u0302\u0323i', 'hội', 'hoi'],
  ])('%s is found by its other spellings', { tags: ['@AP-13', '@Q88'] }, (...spellings) => {
    expect(new Set(spellings.map(foldName)).size).toBe(1)
  })

  it.each([
    ['йод', 'иод'],
    ['नि', 'न'],
    ['か', 'が'],
    ['กา', 'กิ'],
    ['oat', 'oats'],
  ])('%s is not %s', { tags: ['@AP-13'] }, (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other))
  })

  it('are the same in every normal form, and idempotent', { tags: ['@AP-13', '@Q88'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const folded = foldName(text)
        expect(foldName(folded)).toBe(folded)
        expect(foldName(text.normalize('NFC'))).toBe(folded)
        expect(foldName(text.normalize('NFD'))).toBe(folded)
      }),
      { numRuns: randomRuns(5_000), seed: 88 },
    )
  })

  it('put letters with marks next to those without, by code points', { tags: ['@AA-04'] }, () => {
    const names = [
      'Zebra',
      'Élan',
      'east',
      'Ąžuolas',
      'apple',
      'Eden',
      'Łódź',
      'moon',
      'ewe',
      '😀',
      'Ａ ４',
    ]
    expect(names.toSorted(compareNames)).toEqual([
      'Ａ ４',
      'apple',
      'Ąžuolas',
      'east',
      'Eden',
      'Élan',
      'ewe',
      'Łódź',
      'moon',
      'Zebra',
      '😀',
    ])
    const clients = [
      'Moon 10',
      'larkspur',
      'Éclat',
      'Moon 9',
      'aldersea',
      'Harbour',
      'Aldersea West',
    ]
    expect(clients.toSorted(compareNames)).toEqual([
      'aldersea',
      'Aldersea West',
      'Éclat',
      'Harbour',
      'larkspur',
      'Moon 10',
      'Moon 9',
    ])
    const bytes = (name: string) => Buffer.from(foldName(name))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(Math.sign(compareNames(one, other))).toBe(Buffer.compare(bytes(one), bytes(other)))
      }),
      { numRuns: randomRuns(2_500), seed: 4 },
    )
  })
})

describe('a search', () => {
  it.each([
    [' oat ', 'oat'],
    ['\u202aoat\u202c\u200b', 'oat'],
    ['garden\tpath\r\nlight', 'garden path light'],
    ['a\u0000b', 'a b'],
    ['x'.repeat(5_000), 'x'.repeat(200)],
    [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
    ['\ud800', ''],
    ['\u200b\u2060', ''],
  ])('for %j is one for %j', { tags: ['@Q88'] }, (typed, text) => {
    expect(searchText(typed)).toBe(text)
  })
})
