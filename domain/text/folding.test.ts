import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { fold, foldInPlace, unify } from './folding.ts'

/** Written by hand: each group is one text in other letters. */
const SAME: readonly (readonly string[])[] = [
  ['STRASSE', 'straße', 'Strasse', 'STRAẞE', 'ｓｔｒａſſｅ'],
  ['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul', 'i\u0307stanbul'],
  ['ışık', 'IŞIK', 'is\u0327ik', 'işık'],
  ['office', 'oﬃce', 'OFFICE', 'oﬀice', 'o\ufb03ce'],
  ['flag', 'ﬂag', 'ｆｌａｇ', 'ＦＬＡＧ', '𝐟𝐥𝐚𝐠'],
  ["don't", 'don’t', 'don´t', 'don`t', 'don′t', 'donʼt', 'don‘t', 'don＇t', 'don‛t'],
  ['soft hyphen', 'so\u00adft hy\u00adphen', 'soft\u00a0hyphen', 'soft\u3000hy\u200bphen'],
  [
    'moon',
    'mo\u200don',
    'mo\u200con',
    '\u200emoon\u200f',
    'mo\u2060on',
    '\ufeffmoon',
    'moon\ufe0f',
  ],
  ['café', 'cafe\u0301', 'CAFÉ', 'CAFE\u0301', 'caf\u00ade\u0301'],
  ['well-being', 'well‐being', 'well‑being', 'well－being', 'WELL-BEING'],
  ['λόγος', 'ΛΌΓΟΣ', 'ΛΟΓΟΣ', 'λογοσ', 'λο\u0301γος', 'λὸγος'],
  ['μάιος', 'ΜΑΪΟΣ', 'µαιος'],
  ['ᾳ', 'ΑΙ', 'α\u0345', 'αι'],
  ['שלום', 'שָׁלוֹם', 'ש\u05c1לום', '\ufb2aלום', 'שלו\u05b9ם'],
  ['ג׳ירפה', "ג'ירפה", 'ג’ירפה'],
  ['محمد', 'مُحَمَّد', 'محـــمد', 'ﻣﺤﻤﺪ'],
  ['كتاب', 'كِتَاب', 'ﻛﺘﺎﺏ'],
  ['ガー', 'ｶﾞｰ', 'カ\u3099ー'],
  ['각', '가\u11a8', '\u1100\u1161\u11a8'],
  ['в\u0456й', 'В\u0406Й', 'ви\u0306'.replace('ви', 'в\u0456и')],
  ['եւ', 'և', 'ԵՒ'],
  ['ǆ', 'dž', 'Ǆ', 'ǅ', 'dz\u030c'],
  ['ŉ', "'n", 'ʼN'],
  ['Ⅷ', 'ⅷ'],
  ['\u212b', 'å', 'Å', 'a\u030a'],
  ['say "yes"', 'say “yes”', 'say „yes‟'],
]

/** Texts that are not the same, although some programs treat them as equal. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['x²', 'x2'],
  ['½', '1⁄2'],
  ['４', '4'],
  ['٤', '4'],
  ['①', '1'],
  ['cafe', 'café'],
  ['uber', 'über'],
  ['ål', 'al'],
  ['أب', 'اب'],
  ['آب', 'اب'],
  ['йод', 'иод'],
  ['か', 'が'],
  ['ㅋㅋ', '크크'],
  ['moon phase', 'moonphase'],
  ['well-being', 'well–being'],
  ['花園', '花园'],
  ['नि', 'न'],
  ['กา', 'กิ'],
]

describe('folding', () => {
  it.each(SAME)('%s has the letters of its other spellings', { tags: ['@Q40'] }, (...texts) => {
    expect(texts.filter((text) => fold(text) !== fold(texts[0] ?? ''))).toEqual([])
  })

  it.each(DIFFERENT)('%s is not %s', { tags: ['@Q40'] }, (one, other) => {
    expect(fold(one)).not.toBe(fold(other))
  })

  it('keeps each pair of letters that the simple case folding of Unicode has, in all of Unicode', {
    tags: ['@Q40'],
  }, () => {
    const wrong: string[] = []
    for (const letter of letters()) {
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        if (other === letter) continue
        const isCase = new RegExp(`^${letter}$`, 'iu').test(other)
        if (isCase && fold(letter) !== fold(other)) wrong.push(`${letter} ${other}`)
      }
    }
    expect(wrong).toEqual([])
  })

  /** The letters of CaseFolding.txt that become several (status F), as ranges. */
  const FULL =
    'ßß İİ ŉŉ ǰǰ ΐΐ ΰΰ ևև ẖẚ ẞẞ ὐὐ ὒὒ ὔὔ ὖὖ ᾀᾯ ᾲᾴ ᾶᾷ ᾼᾼ ῂῄ ῆῇ ῌῌ ῒΐ ῖῗ ῢῤ ῦῧ ῲῴ ῶῷ ῼῼ ﬀﬆ ﬓﬗ'

  it('folds a letter as its capitals, where these are several', { tags: ['@Q40'] }, () => {
    const wrong = FULL.split(' ').flatMap(([first = '', last = '']) =>
      characters(first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0).filter(
        (letter) => fold(letter) !== fold(letter.toUpperCase()),
      ),
    )
    expect(wrong).toEqual([])
    expect(['ß', 'ﬃ', 'ﬆ', 'ﬗ', 'ẖ'].map((letter) => [...fold(letter)].length)).toEqual([
      2, 3, 2, 2, 1,
    ])
  })

  it('takes no two letters of one script for the same that the collation of Unicode parts', {
    tags: ['@Q40'],
  }, () => {
    // Its second level ignores case and forms, but compares marks and letters.
    const { compare } = new Intl.Collator('und', { sensitivity: 'accent' })
    const firsts = new Map<string, string>()
    const wrong = letters().flatMap((letter) => {
      const first = firsts.get(fold(letter)) ?? letter
      firsts.set(fold(letter), first)
      return compare(first, letter) === 0 ? [] : [`${first} ${letter}`]
    })
    const isMeant = (pair: string) =>
      // Turkish letters; apostrophes; the marks of Greek, Arabic and Hebrew; what Unicode itself calls compatible.
      /[ıİ𝚤]|^[ʹʻʼʽˈˊˋꞋꞌ] [ʹʻʼʽˈˊˋꞋꞌ]$|\p{sc=Greek}|\p{scx=Arabic}|\p{sc=Hebrew}/u.test(pair) ||
      pair.split(' ').map((letter) => letter.normalize('NFKD').toLowerCase())[0] ===
        pair.split(' ').map((letter) => letter.normalize('NFKD').toLowerCase())[1]
    expect(wrong.filter((pair) => !isMeant(pair))).toEqual([])
  })

  it('is the same for all ways to spell a text, and stays as it is', { tags: ['@Q40'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const folded = fold(text)
        expect(fold(folded)).toBe(folded)
        expect(fold(text.normalize('NFC'))).toBe(folded)
        expect(fold(text.normalize('NFD'))).toBe(folded)
        expect(fold(text.toUpperCase())).toBe(folded)
      }),
      { numRuns: randomRuns(5_000), seed: 40 },
    )
  })

  it('returns the same for every ASCII character with and without the map', {
    tags: ['@Q40'],
  }, () => {
    for (let code = 0; code < 0x80; code += 1) {
      const text = `I${String.fromCharCode(code)}ffi`
      expect(fold(text), `sign ${code}`).toBe(foldInPlace(text).text)
    }
  })

  it('keeps all that is not a letter', { tags: ['@Q40'] }, () => {
    expect(fold('1½ ²③ ٤４ — … ™ ㎏ 🌙 \n')).toBe('1½ ²③ ٤４ — … ™ ㎏ 🌙 \n')
  })

  it('one form of each letter keeps the case and the marks', () => {
    expect(unify('Straße ﬁne ＡＢ ΛΌΓΟΣ שָׁלוֹם')).toBe('Straße fine AB ΛΌΓΟΣ שָׁלוֹם'.normalize('NFC'))
  })

  it('takes as long as a text is long, whatever it has', () => {
    const marks = ['i\u0307', '\u0301', '\u0307\u0323', '\u00ad', 'ß', '\ufdfa', '가', '𝒜']
    for (const unit of marks)
      expect(foldInPlace(`i${unit.repeat(100_000)}`).to.at(-1)).toBeDefined()
  })
})

describe('the places of folded letters', () => {
  const placesOf = (text: string) => {
    const { text: folded, from, to } = foldInPlace(text)
    return Array.from(folded, (letter, at) => `${letter} ${text.slice(from[at], to[at])}`)
  }

  it('are the letter with its marks, and nothing invisible after it', { tags: ['@Q40'] }, () => {
    expect(placesOf('Öﬃx')).toEqual(['ö Ö', 'f ﬃ', 'f ﬃ', 'i ﬃ', 'x x'])
    expect(placesOf('שָׁל')).toEqual(['ש שָׁ', 'ל ל'])
    expect(placesOf('a\u00adb\u200e')).toEqual(['a a', 'b b'])
    expect(placesOf('\u00ade\u0301')).toEqual(['é e\u0301'])
  })

  it('go from left to right, and each has the letters that it is said to have', {
    tags: ['@Q40'],
  }, () => {
    const scripts = [
      'straße',
      'ﬃ',
      'İ',
      'שָׁלוֹם',
      'مُحَمَّد',
      'λόγος',
      'カ\u3099',
      'नमस्ते',
      'น้ำ',
      '가',
      '𝒜',
      '🌙',
    ]
    const piece = fc.constantFrom(...scripts, ' ', '\u00ad', '\u200d', '’', 'e\u0301')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const { text: folded, from, to } = foldInPlace(text)
        for (let at = 0; at < folded.length; at += 1) {
          const [start = 0, end = 0] = [from[at], to[at]]
          expect(fold(text.slice(start, end))).toContain(folded.charAt(at))
          expect(end).toBeGreaterThan(start)
          expect(start === from[at - 1] || start >= (to[at - 1] ?? 0)).toBe(true)
        }
        const kept = new Set(from)
        const letters = [...kept].map((start) => text.slice(start, to[from.indexOf(start)]))
        expect(fold(letters.join(''))).toBe(folded)
      }),
      { numRuns: randomRuns(2_500), seed: 41 },
    )
  })
})

function characters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
}

const letters = (): string[] =>
  [...characters(0x41, 0xd7ff), ...characters(0xe000, 0x1ffff)].filter((character) =>
    /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(character),
  )
