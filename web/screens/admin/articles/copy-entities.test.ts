import { beforeEach, expect, test } from 'vitest'
import { useNotices } from '../../../app/notices.ts'
import { copyEntities } from './copy-entities.tsx'

const LIST = ['lumen', 'garden path', 'lumen'].map((keyword, place) => ({
  keyword,
  source: 'E',
  score: place,
  category: keyword === 'lumen' ? 'Use When You Can' : 'Must Use',
}))

beforeEach(() => useNotices.setState({ list: [] }))

const shown = () =>
  useNotices.getState().list.map(({ kind, title, details }) => [kind, title, details])

test('copies the groups and says so', {
  tags: ['@AA-18', '@AA-19', '@AA-20', '@AA-21', '@AA-22', '@AA-23'],
}, async () => {
  const clipboard: string[] = []
  await copyEntities('Paths & Lights', LIST, async (text) => void clipboard.push(text))
  expect(clipboard).toEqual(['Must Use\ngarden path\n\nUse When You Can\nlumen'])
  expect(shown()).toEqual([
    [
      'success',
      'Copied Paths & Lights Entities',
      'Entities for Paths & Lights are copied to your clipboard.',
    ],
  ])
})

test.each([
  ['refuses', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
  [
    'is missing',
    () => {
      throw new TypeError('undefined is no object')
    },
  ],
])(
  'shows the exact message when the clipboard %s',
  { tags: ['@AA-24', '@ER-17'] },
  async (_, write) => {
    await copyEntities('Paths', LIST, write)
    expect(shown()).toEqual([
      ['error', 'Error', 'There was an error while trying to copy entities to your clipboard.'],
    ])
  },
)
