import { expect, test } from 'vitest'
import { readNames } from './names.ts'

const DEFAULTS = {
  productName: 'Contūn Articles',
  agencyName: 'Moon & Owl',
  timeZone: 'UTC',
  supportEmail: 'support@moonandowl.example',
  marketingUrl: 'https://moonandowl.example',
}

test.each([
  ['nothing', null, DEFAULTS],
  ['no JSON', '{', DEFAULTS],
  ['another shape', '[1]', DEFAULTS],
  ['wrong types', '{"agencyName":7}', DEFAULTS],
  ['a name', '{"agencyName":"Sun & Lark"}', { ...DEFAULTS, agencyName: 'Sun & Lark' }],
  ['an empty product name', '{"productName":""}', DEFAULTS],
  ['a time zone', '{"timeZone":"Europe/Berlin"}', { ...DEFAULTS, timeZone: 'Europe/Berlin' }],
  ['a time zone that the browser does not know', '{"timeZone":"Moon/Sea"}', DEFAULTS],
  [
    'empty addresses: no links',
    '{"supportEmail":"","marketingUrl":""}',
    { ...DEFAULTS, supportEmail: '', marketingUrl: '' },
  ],
  [
    'an address that is no web address',
    '{"marketingUrl":"javascript:alert(1)"}',
    { ...DEFAULTS, marketingUrl: '' },
  ],
])('names from %s', { tags: ['@LH-10', '@Q2', '@Q13'] }, (_, json, names) => {
  expect(readNames(json)).toEqual(names)
})
