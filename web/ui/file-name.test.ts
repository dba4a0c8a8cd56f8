import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textFileName } from './file-name.ts'

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
  ['Content', 'Content.txt'],
  ['...', 'article.txt'],
  ['  spaced. ', 'spaced.txt'],
])('AA-26, Q66 %j is saved as %j', (name, file) => {
  expect(textFileName(name)).toBe(file)
})

test('Q66 every name gives a file name that every system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const file = textFileName(name)
      expect(file.length).toBeLessThanOrEqual(120)
      expect(file).toMatch(/^[^\s.].*\.txt$/u)
      expect(file).not.toMatch(/[\\/:*?"<>|\p{Cc}\p{Cs}]/u)
    }),
    { numRuns: 1_000 },
  )
})
