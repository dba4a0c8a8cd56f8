import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../scripts/test-depth.ts'
import { receiptFileName, textFileName } from './file-name.ts'

test.each([
  ['A Quiet Guide to Garden Path Lighting', 'A Quiet Guide to Garden Path Lighting.txt'],
  ['Sash Windows: a Plain Guide', 'Sash Windows- a Plain Guide.txt'],
  ['What? *Why*', 'What- -Why-.txt'],
  ['../../etc/passwd', '-..-etc-passwd.txt'],
  ['C:\\temp\\"x"|<y>', 'C--temp--x---y-.txt'],
  ['Café für Zoë 月', 'Café für Zoë 月.txt'],
  ['line\nbreak\u0000', 'line-break-.txt'],
  ['invoice\u202etxt.exe', 'invoice-txt.exe.txt'],
  ['con', '_con.txt'],
  ['LPT1.notes', '_LPT1.notes.txt'],
  ['Con .notes', '_Con .notes.txt'],
  ['COM\u00b9', '_COM\u00b9.txt'],
  ['lpt\u00b3.draft', '_lpt\u00b3.draft.txt'],
  ['ＣＯＮ', '_ＣＯＮ.txt'],
  ['nul...', '_nul.txt'],
  ['. aux ', '_aux.txt'],
  ['CONIN$', '_CONIN$.txt'],
  ['Clock$', '_Clock$.txt'],
  ['Comet 1', 'Comet 1.txt'],
  ['Console', 'Console.txt'],
  ['Content', 'Content.txt'],
  ['月'.repeat(200), `${'月'.repeat(83)}.txt`],
  ['각'.repeat(200).normalize('NFD'), `${'각'.repeat(83)}.txt`],
  ['👩\u200d🌾'.repeat(60), `${'👩\u200d🌾'.repeat(22)}.txt`],
  ['x'.repeat(300), `${'x'.repeat(115)}.txt`],
  [`a${'\u0301'.repeat(300)}`, 'article.txt'],
  ['...', 'article.txt'],
  ['  spaced. ', 'spaced.txt'],
])('%j is saved as %j', { tags: ['@AA-26', '@Q66'] }, (name, file) => {
  expect(textFileName(name)).toBe(file)
})

test('every name gives a file name that every system takes', { tags: ['@Q66'] }, () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), spellings), (name) => {
      const file = textFileName(name)
      expect(file.length).toBeLessThanOrEqual(120)
      expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255)
      expect(file).not.toMatch(/^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])[\s.]/i)
      expect(file).toMatch(/^[^\s.].*\.txt$/u)
      expect(file).not.toMatch(/[\\/:*?"<>|\p{Cc}\p{Cs}]/u)
    }),
    { numRuns: randomRuns(1_000) },
  )
})

/** Names of devices, in their spellings. */
const spellings = fc
  .tuple(
    fc.constantFrom('', '.', ' '),
    fc.constantFrom('con', 'PRN', 'Aux', 'nul', 'COM1', 'com²', 'LPT³'),
    fc.constantFrom('', ' ', '.', ' .', '. .', '.txt', ' .a'),
  )
  .map((parts) => parts.join(''))

test('a receipt is named by its article and number', () => {
  expect(receiptFileName('Sash Windows: a Plain Guide', 2)).toBe(
    'Sash Windows- a Plain Guide – receipt 2.html',
  )
  expect(receiptFileName('con', 1)).toBe('_con – receipt 1.html')
  const long = receiptFileName('月'.repeat(200), 1_000)
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(255)
  expect(long).toMatch(/^月+ – receipt 1000\.html$/)
})
