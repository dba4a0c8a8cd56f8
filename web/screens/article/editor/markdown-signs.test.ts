import { expect, test } from 'vitest'
import { hasMarkdown } from './markdown-signs.ts'

test.each([
  ['a heading', '# Lamps\nWords of it'],
  ['a list of two items', 'Lamps:\n- brass\n- iron'],
  ['a list in a list', '* brass\n  * old'],
  ['a numbered list', '1. Dig\n2. Fill'],
  ['strong words', 'The lamp **by the gate** is on.'],
  ['a link', 'See [the guide](https://larkspur.example/guides).'],
])('%s is Markdown', (_, text) => {
  expect(hasMarkdown(text)).toBe(true)
})

test.each([
  ['prose', 'Most gardens are dark.\n\nSome are not.'],
  ['one dash', 'He said:\n- Not now.'],
  ['one number', '1. January is cold.'],
  ['a date at the start of two lines', '24. December\nand\n26.December'],
  ['a hash tag', '#lamps #posts'],
  ['asterisks', '2 ** 3 ** 4 and *Valid until June. *Terms apply.'],
  ['names', 'snake_case_name and __init__'],
  ['brackets', 'a note [1] (see below) and [2](page 3)'],
  ['an address', 'https://larkspur.example/guides'],
])('%s is none', (_, text) => {
  expect(hasMarkdown(text)).toBe(false)
})
