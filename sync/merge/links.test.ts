import { describe, expect, test } from 'vitest'
import {
  type ArticleDocument,
  addressOf,
  type DocumentNode,
  linkTo,
} from '../../domain/text/document.ts'
import { merge3 } from './merge3.ts'

/** One line a paragraph; `[words](a)` links the words to https://a.example. */
const doc = (...lines: string[]): ArticleDocument => ({
  type: 'doc',
  content: lines.map((line) => ({ type: 'paragraph', content: inlineOf(line) })),
})

const inlineOf = (line: string): DocumentNode[] =>
  [...line.matchAll(/\[(.+?)\]\((\w+)\)|[^[]+/g)].map(([plain, words, name]) =>
    words === undefined
      ? { type: 'text', text: plain }
      : { type: 'text', text: words, marks: [linkTo(`https://${name}.example`)] },
  )

const linesOf = ({ content }: ArticleDocument): string[] =>
  content.map(({ content: inline = [] }) => inline.map(written).join(''))

function written(node: DocumentNode): string {
  const name = addressOf(node)?.slice('https://'.length, -'.example'.length)
  return name === undefined ? (node.text ?? '') : `[${node.text}](${name})`
}

describe('links in a merge', { tags: ['@SY-11'] }, () => {
  test.each<[string, base: string, mine: string, theirs: string, merged: string, boolean]>([
    [
      'words typed around it',
      'see the path',
      'see [the path](a)',
      'now see the path',
      'now see [the path](a)',
      false,
    ],
    [
      'one removed',
      'see [the path](a)',
      'see the path',
      'see [the path](a) now',
      'see the path now',
      false,
    ],
    ['one removed and another set', '[path](a) x', 'path x', '[path](b) x', '[path](b) x', true],
    [
      'two addresses on the same words',
      'the path',
      '[the path](a)',
      '[the path](b)',
      '[the path](b)',
      true,
    ],
    [
      'two addresses on words that both typed, behind a word that one of both replaced',
      'each patio',
      '[install c1 of](a) garden patio',
      'each [c1](b) of garden patio',
      'each [c1](b) of garden patio [install c1 of](a) garden patio',
      true,
    ],
    [
      'two addresses on other words',
      'the path',
      '[the](a) path',
      'the [path](b)',
      '[the](a) [path](b)',
      false,
    ],
    [
      'some of its words removed',
      'see the old path',
      'see [the old path](a)',
      'see the path',
      'see [the path](a)',
      false,
    ],
    [
      'some of its words replaced',
      'see the old path here',
      'see [the old path](a) here',
      'see the new path here',
      'see [the new path](a) here',
      false,
    ],
    [
      'all of its words replaced with another link',
      'see the path here',
      'see [the path](a) here',
      'see [a map](b) here',
      'see [a map](b) here see [the path](a) here',
      true,
    ],
    [
      'all of its words removed',
      'see the path here',
      'see [the path](a) here',
      'see here',
      'see [the path](a) here',
      true,
    ],
  ])('%s', (_, base, mine, theirs, merged, conflict) => {
    const found = merge3(doc(base), doc(mine), doc(theirs))
    expect(linesOf(found.document)).toEqual([merged])
    expect(found.conflict).toBe(conflict)
  })

  test('a paragraph whose words look like the key of another one with a link is not that one', () => {
    // The sign of the 97th address is the letter a.
    const links = Array.from({ length: 97 }, (_, at) => `[b](n${at})`)
    const mine = [...links.slice(0, 96), 'a/b']
    const { document } = merge3(doc(...links), doc(...mine), doc(...links, 'c'))
    expect(linesOf(document)).toEqual([...mine, 'c'])
  })
})
