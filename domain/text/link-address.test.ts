import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADDRESSES, PAYLOADS } from '../../e2e/hostile-payloads.ts'
import { randomRuns } from '../../scripts/test-depth.ts'
import { LINK_ADDRESS_MAX } from '../limits.ts'
import { isAddress, readAddress, readTypedAddress } from './link-address.ts'

describe('readAddress', () => {
  test.each([
    'https://larkspur.example',
    'https://larkspur.example/guides/dark-river?a=1&b=[2]#top',
    'http://localhost:8080/',
    'http://192.0.2.1/a',
    'https://[2001:db8::1]:8443/',
    'https://gärten.example/größe/ü',
    'https://xn--grten-gra.example/',
    'https://larkspur.example?q=a@b:c',
    'https://larkspur.example/a%20b%00',
    'mailto:ada@larkspur.example',
    'mailto:ada@larkspur.example,bo@larkspur.example?subject=Two%20words&cc=c@larkspur.example',
  ])('takes %s as it is', (address) => {
    expect(readAddress(address)).toBe(address)
  })

  test.each([
    ['HTTPS://Larkspur.example/A', 'https://Larkspur.example/A'],
    ['MailTo:Ada@larkspur.example', 'mailto:Ada@larkspur.example'],
    [' \n\thttps://larkspur.example/\r\n', 'https://larkspur.example/'],
    ['https://larkspur.example/two words', 'https://larkspur.example/two%20words'],
    ['https://larkspur.example/"><script>`', 'https://larkspur.example/%22%3E%3Cscript%3E%60'],
    [
      'mailto:ada@larkspur.example?subject=Two words',
      'mailto:ada@larkspur.example?subject=Two%20words',
    ],
  ])('writes %j in one form', (given, address) => {
    expect(readAddress(given)).toBe(address)
  })

  test.each([
    '',
    '#top',
    '/guides',
    'guides.html',
    'larkspur.example',
    'ada@larkspur.example',
    '//larkspur.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u0000:alert(1)',
    'javascript:https://larkspur.example/',
    'javascript://larkspur.example/%0aalert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A&#x61&#x76&#x61script:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'DATA:text/html,x',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://larkspur.example/1',
    'about:blank',
    'ftp://larkspur.example/',
    'tel:+4412345',
    'view-source:https://larkspur.example/',
    'feed:https://larkspur.example/',
    'https:',
    'https:/larkspur.example/',
    'https:larkspur.example',
    'https://',
    'https:///larkspur.example/',
    'https://?a',
    'https://#a',
    'https://-',
    'https://.../',
    'https:\\\\larkspur.example\\',
    'https://larkspur.example\\@elsewhere.example/',
    'https://bank.example@elsewhere.example/',
    'https://ada:secret@larkspur.example/',
    'https://%6Carkspur.example/',
    'https://larkspur.example:port/',
    'https://larkspur .example/',
    'https://lark\u00adspur.example/',
    'https://lark\u200bspur.example/',
    'https://larkspur.example/\u202egpj.exe',
    'https://larkspur.example/\u2066x',
    'https://larkspur.example/\ufeffx',
    'https://larkspur.example/a\nb',
    'https://larkspur.example/a\tb',
    'https://larkspur.example/a\u0000b',
    'https://larkspur.example/a\u0085b',
    'https://larkspur.example/a\u00a0b',
    'https://larkspur.example/a\u2028b',
    'https://larkspur.example/\ud83c',
    'https://elsewhere.example\u2215larkspur.example/',
    'mailto:',
    'mailto:ada',
    'mailto:?subject=x',
    'mailto:ada@',
    'mailto:ada@larkspur.example\r\nBcc:bo@larkspur.example',
    'https://larkspur.example\uff0f@elsewhere.example/',
  ])('takes %j for no address', (given) => {
    expect(readAddress(given)).toBeNull()
  })

  test('takes none of 1,000 hostile addresses, nor of 1,000 hostile texts', () => {
    expect(new Set(ADDRESSES).size).toBe(1_000)
    for (const read of [readAddress, readTypedAddress]) {
      expect(ADDRESSES.filter((address) => read(address) !== null)).toEqual([])
      expect(PAYLOADS.filter((text) => read(text) !== null)).toEqual([])
    }
  })

  test('takes as many characters as are allowed, in the form that is stored', () => {
    const start = 'https://larkspur.example/'
    const address = start.padEnd(LINK_ADDRESS_MAX, 'a')
    expect(readAddress(address)).toBe(address)
    expect(readAddress(`${address}a`)).toBeNull()
    expect(readAddress(`${address.slice(0, -1)} `)).not.toBeNull()
    expect(readAddress(`${address.slice(0, -2)} a`)).toBeNull()
    expect(readAddress(start.padEnd(1_000_000, '<'))).toBeNull()
  })

  const scheme = fc.constantFrom(
    'http:',
    'https:',
    'mailto:',
    'HTTPS:',
    'javascript:',
    'data:',
    ' ',
    '',
  )
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('//', '@', '\\', '\t', '%00', '/', ':', '?', '#', '[', 'a.example', '\u202e'),
  )

  test('what is read is read again as it is, and a browser takes it for the same scheme and host', () => {
    const given = fc
      .tuple(scheme, fc.array(part, { maxLength: 6 }))
      .map(([one, rest]) => one + rest.join(''))
    fc.assert(
      fc.property(given, (text) => {
        const address = readAddress(text)
        if (address === null) return
        expect(readAddress(address)).toBe(address)
        expect(isAddress(address)).toBe(true)
        expect(address).not.toMatch(/[\p{C}\s"<>`\\]/u)
        if (!URL.canParse(address)) return
        const { protocol, username, password } = new URL(address)
        expect(['http:', 'https:', 'mailto:']).toContain(protocol)
        expect(address.startsWith(protocol)).toBe(true)
        expect(username + password).toBe('')
      }),
      { numRuns: randomRuns(12_500) },
    )
  })
})

test.each<[unknown, boolean]>([
  ['https://larkspur.example/', true],
  ['HTTPS://larkspur.example/', false],
  [' https://larkspur.example/', false],
  [{ toString: () => 'https://larkspur.example/' }, false],
  [undefined, false],
])('%j is an address in a text: %s', (value, expected) => {
  expect(isAddress(value)).toBe(expected)
})

describe('readTypedAddress', () => {
  test.each([
    ['larkspur.example', 'https://larkspur.example'],
    ['  www.larkspur.example/guides?a=b c#d ', 'https://www.larkspur.example/guides?a=b%20c#d'],
    ['larkspur.example:8080/', 'https://larkspur.example:8080/'],
    ['gärten.example', 'https://gärten.example'],
    ['ada.lark@larkspur.example', 'mailto:ada.lark@larkspur.example'],
    ['http://larkspur.example', 'http://larkspur.example'],
    ['MAILTO:ada@larkspur.example', 'mailto:ada@larkspur.example'],
  ])('reads %j as %s', (typed, address) => {
    expect(readTypedAddress(typed)).toBe(address)
  })

  test.each([
    'larkspur',
    'the points that need light',
    '/guides',
    'localhost:8080',
    'javascript:alert(1)',
    'javascript:alert(1).example',
    'data:larkspur.example',
    'ada@bank.example@larkspur.example',
    'ada:secret@larkspur.example',
    '3.14',
  ])('refuses %j', (typed) => {
    expect(readTypedAddress(typed)).toBeNull()
  })
})
