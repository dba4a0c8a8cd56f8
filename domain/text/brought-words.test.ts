import { expect, test } from 'vitest'
import { createWordTracer } from './brought-words.ts'
import type { ArticleDocument } from './document.ts'

const doc = (...lines: string[]): ArticleDocument => ({
  type: 'doc',
  content: lines.map((text) => ({
    type: 'paragraph',
    ...(text !== '' && { content: [{ type: 'text', text }] }),
  })),
})

const MOTHS = 'Mind the moths in June.'
const PATH = 'The garden path is lit too brightly.'

test.each<[string, versions: string[][], brought: boolean[]]>([
  ['a sentence that is still there', [[PATH], [`${PATH} ${MOTHS}`]], [true, true]],
  ['words that were all removed', [[PATH], [`${PATH} ${MOTHS}`], [PATH]], [true, false, false]],
  [
    'a sentence that was only moved',
    [
      [PATH, MOTHS],
      [MOTHS, PATH],
    ],
    [true, false],
  ],
  [
    'a sentence that was moved into another paragraph',
    [[PATH], [`${PATH} ${MOTHS}`], [`${MOTHS} More.`, PATH]],
    [true, true, true],
  ],
  ['one more word', [['One.'], ['One two.']], [true, true]],
  ['a short text in a longer one', [['One.'], ['One two three four.']], [true, true]],
  ['other marks and signs alone', [['One two.'], ['One, two!']], [true, false]],
  [
    'a sentence that another one replaced, though both have common words',
    [
      ['Begin.'],
      ['Begin. The light of the moon is bright.'],
      ['Begin. The walk to a shed is dry.'],
    ],
    [true, false, true],
  ],
  [
    'words that were removed and came back',
    [[MOTHS], [''], [`${PATH} ${MOTHS}`]],
    [true, false, true],
  ],
  ['a letter of a script without spaces', [['光很亮。'], ['月光很亮。']], [true, true]],
])('names those who brought words of a text: %s', (_, versions, brought) => {
  const texts = versions.map((lines) => doc(...lines))
  const brings = createWordTracer(texts.at(-1) ?? doc())
  expect(texts.map(brings)).toEqual(brought)
})

test('takes as long as the texts are long, also where one sentence is all of a text', () => {
  const long = 'word '.repeat(190_000)
  const brings = createWordTracer(doc(long))
  expect([doc(MOTHS), doc(long)].map(brings)).toEqual([false, true])
})
