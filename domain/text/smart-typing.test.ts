import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { randomRuns } from '../../scripts/test-depth.ts'
import { countWords } from './article-text.ts'
import { fold } from './folding.ts'
import { smartSign, typographyOf } from './smart-typing.ts'

/** What the keys write, with a caret in front of `after`. */
function typed(keys: string, language: string, after = ''): string {
  const typography = typographyOf('', [language])
  let text = ''
  for (const key of keys) {
    text += key
    const sign = typography && smartSign(text, after, typography)
    if (sign) text = text.slice(0, text.length - sign.straight.length) + sign.smart
  }
  return text
}

describe('typed signs become', () => {
  test.each([
    ['en-US', '"Moss," she said.', '“Moss,” she said.'],
    ['en-US', "It's the boys' moss, 'soft' and green.", 'It’s the boys’ moss, ‘soft’ and green.'],
    ['en-US', '"\'Moss\' is a word," he said.', '“‘Moss’ is a word,” he said.'],
    ['en-US', '("Moss" and \'fern\')', '(“Moss” and ‘fern’)'],
    ['en-US', 'Moss -- and fern--grow... slowly.', 'Moss — and fern—grow… slowly.'],
    ['en-US', '"I never--" He left.', '“I never—” He left.'],
    ['en-US', 'He left--"too soon".', 'He left—“too soon”.'],
    ['en-US', 'Moss\n"Fern"', 'Moss\n“Fern”'],
    ['en-GB', '"Moss" -- and \'fern\'', '“Moss” – and ‘fern’'],
    ['en-US', 'pages 3--7', 'pages 3–7'],
    ['de-DE', '"Moos", sagte sie.', '„Moos“, sagte sie.'],
    ['de-DE', "\"Er sagte 'gut', und das war's\"", '„Er sagte ‚gut‘, und das war’s“'],
    ['de-DE', "'Wie geht's?' -- so", '‚Wie geht’s?‘ – so'],
    ['de-CH', '"Moos" und \'Farn\'', '«Moos» und ‹Farn›'],
    ['fr-FR', '"mousse"', '«\u00a0mousse\u00a0»'],
    ['fr-FR', 'l\'"arbre" et l\'eau', 'l’«\u00a0arbre\u00a0» et l’eau'],
    ['fr-FR', '"La \'mousse\'"', '«\u00a0La ‘mousse’\u00a0»'],
    ['es-ES', '"musgo" y \'helecho\'', '«musgo» y ‘helecho’'],
    ['it-IT', '"muschio" dell\'albero', '“muschio” dell’albero'],
    ['sv-SE', '"mossa" och \'ormbunke\'', '”mossa” och ’ormbunke’'],
    ['sv-SE', '("mossa")', '(”mossa”)'],
    ['fi-FI', '"sammal"', '”sammal”'],
    ['nb-NO', '"mose"', '«mose»'],
    ['pl-PL', '"mech" i \'paproć\'', '„mech” i ‚paproć’'],
    ['hu-HU', '"moha" és \'páfrány\'', '„moha” és »páfrány«'],
    ['cs-CZ', '"mech" -- a', '„mech“ – a'],
    ['ru-RU', '"мох" -- и \'папоротник\'', '«мох» — и „папоротник“'],
    ['uk-UA', "м'ята", 'м’ята'],
    ['el-GR', '"βρύα"', '«βρύα»'],
    ['sw-KE', '"moss" -- fern', '“moss” – fern'],
  ])('in %s: %s', (language, keys, text) => {
    expect(typed(keys, language)).toBe(text)
  })

  test.each([
    ['a rule or two hyphens at the start of a line', '---'],
    ['two hyphens at the start of a line', 'Moss\n-- fern'],
    ['more than two hyphens', 'Moss -'],
    ['inches', 'a path of 6"'],
    ['a cell of a table', '|--'],
    ['two dots', 'Moss..'],
  ])('nothing else: %s', (_, keys) => {
    expect(typed(keys, 'en-US')).toBe(keys)
  })

  test('what they were where the writer took them back', () => {
    const english = typographyOf('', ['en-US'])
    if (!english) throw new Error('English has them')
    for (const text of ['moss---', 'moss—-', 'moss—--', 'moss....'])
      expect(smartSign(text, '', english), text).toBeNull()
  })

  test('an e-mail address again, which has a straight apostrophe', () => {
    expect(typed("Ask o'brien@larkspur.example", 'en-US')).toBe("Ask o'brien@larkspur.example")
  })
})

describe('the marks are those', () => {
  const WORDS = {
    en: 'The moss that grows in the shade of a wall is not the moss of the path, and it needs less water.',
    de: 'Das Moos, das im Schatten der Mauer wächst, ist nicht das Moos auf dem Weg, und es braucht weniger Wasser.',
    ru: 'Мох, который растёт в тени стены, это не тот мох, что на дорожке, и ему нужно меньше воды.',
    ja: '庭の苔は日陰でよく育ち、水をあまり必要としません。',
    he: 'הטחב שגדל בצל הקיר אינו הטחב של השביל.',
  }
  const marksIn = (text: string, ...languages: string[]) =>
    typographyOf(text, languages)?.double.join('') ?? null

  test.each([
    ['of the text, whatever the browser speaks', WORDS.en, ['de-DE'], '“”'],
    ['of the text, also in German', WORDS.de, ['en-US'], '„“'],
    ['of the browser’s region for that language', WORDS.de, ['en-US', 'de-CH'], '«»'],
    ['of the browser, while the text is short', 'Moss', ['de-DE', 'en-US'], '„“'],
    ['of the browser, while the text is empty', '', ['fr-FR'], '«\u00a0\u00a0»'],
    ['of its first language in the script of the text', 'Moss', ['ru-RU', 'de-DE'], '„“'],
    ['of English, where it speaks none in that script', 'Moss', ['ru-RU'], '“”'],
    ['of English, where it says nothing valid', 'Moss', ['', '*'], '“”'],
    ['of Russian', WORDS.ru, ['en-US'], '«»'],
    ['of no language in Japanese', WORDS.ja, ['en-US'], null],
    ['of no language in Hebrew', WORDS.he, ['en-US'], null],
    ['of no language in an empty text of a Japanese browser', '', ['ja-JP', 'en-US'], null],
    ['of English around a few Japanese words', `${WORDS.en} 庭の苔`, ['en-US'], '“”'],
  ])('%s', (_, text, languages, marks) => {
    expect(marksIn(text, ...languages)).toBe(marks)
  })
})

const LANGUAGES = ['en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'es-ES', 'sv-SE', 'hu-HU', 'ru-RU']
const KEYS = fc
  .array(fc.constantFrom('moss', "don't", 'l', 'e', ' ', ' ', '"', "'", '-', '-', '.', '3', '\n'), {
    maxLength: 30,
  })
  .map((keys) => keys.join(''))

describe('a replacement', () => {
  it('never changes the word count', { tags: ['@SC-01', '@Q34'] }, () => {
    fc.assert(
      fc.property(KEYS, KEYS, fc.constantFrom(...LANGUAGES), (before, after, language) => {
        const typography = typographyOf('', [language])
        const sign = typography && smartSign(before, after, typography)
        if (!sign) return
        const head = before.slice(0, before.length - sign.straight.length)
        expect(before.endsWith(sign.straight)).toBe(true)
        expect(countWords(head + sign.smart + after)).toBe(countWords(before + after))
      }),
      { numRuns: randomRuns(5_000), seed: 52 },
    )
  })

  it('of an apostrophe is the same letter to entities and Find', { tags: ['@Q40'] }, () => {
    for (const language of LANGUAGES) {
      expect(fold(typed("Don't", language)), language).toBe("don't")
    }
  })
})
