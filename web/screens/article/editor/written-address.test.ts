import { expect, test } from 'vitest'
import { writtenAddress } from './written-address.ts'

test.each([
  ['https://larkspur.example', 'https://larkspur.example', 'https://larkspur.example'],
  ['HTTP://larkspur.example/a', 'HTTP://larkspur.example/a', 'http://larkspur.example/a'],
  ['www.larkspur.example', 'www.larkspur.example', 'https://www.larkspur.example'],
  ['ada@larkspur.example', 'ada@larkspur.example', 'mailto:ada@larkspur.example'],
  ['mailto:ada@larkspur.example', 'mailto:ada@larkspur.example', 'mailto:ada@larkspur.example'],
  ['(https://larkspur.example).', 'https://larkspur.example', 'https://larkspur.example'],
  ['“https://larkspur.example/?”,', 'https://larkspur.example/', 'https://larkspur.example/'],
  ['<https://larkspur.example>', 'https://larkspur.example', 'https://larkspur.example'],
  [
    'https://wiki.example/owl_(bird)',
    'https://wiki.example/owl_(bird)',
    'https://wiki.example/owl_(bird)',
  ],
  [
    '(https://wiki.example/owl_(bird)),',
    'https://wiki.example/owl_(bird)',
    'https://wiki.example/owl_(bird)',
  ],
])('%s has the address %s', (word, text, href) => {
  expect(writtenAddress(word)).toEqual({ text, href })
})

test.each([
  '',
  'word',
  'Node.js',
  'larkspur.example/guides',
  'end.Next',
  '@handle',
  'a@b',
  'https://',
  'www.',
  'javascript:alert(1)',
  'javascript:alert(1)@larkspur.example',
  'https://ada:key@larkspur.example',
  'ftp://larkspur.example',
])('%j is no address', (word) => {
  expect(writtenAddress(word)).toBeNull()
})
