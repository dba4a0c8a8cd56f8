import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The specification's own texts keep its marks. */
const GIVEN = ["We're sorry...", "don't see the email"]

const files = [
  ...readdirSync('web', { recursive: true, encoding: 'utf8' }).map((file) => join('web', file)),
  'api/mail/compose-mail.ts',
].filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))

/** Lines of code without comments, as `file:line text`. */
const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
    .map((line, at) => `${file}:${at + 1} ${line.replace(/(^|\s)\/\/ .*/, '').trim()}`)
    .filter((line) => !GIVEN.some((text) => line.includes(text)))

test.each([
  ['names and quotations are in ‘’', /[“”]/],
  ['apostrophes are ’', /[a-z]'(?:s|t|re|ve|ll|d|m)\b/],
])('texts have one kind of quotation marks: %s', (_, other) => {
  expect(files.length).toBeGreaterThan(200)
  expect(files.flatMap(linesOf).filter((line) => other.test(line))).toEqual([])
})
