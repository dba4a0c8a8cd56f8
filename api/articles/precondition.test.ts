import { describe, expect, it } from 'vitest'
import { etagOf, hasTag, holds, isUnchanged, readTags } from './precondition.ts'

const current = { version: 30, textVersion: 12, revision: 'k-5' }

describe('If-Match', () => {
  it.each([
    // header, holds for a text, holds for anything else
    ['"v30.t12"', true, true],
    ['W/"v30.t12"', true, true],
    ['v30.t12', true, true],
    ['"v30.t12-gzip"', true, true],
    ['"v30.t12;br"', true, true],
    ['"V30.T12"', true, true],
    ['*', true, true],
    ['"v1.t1", "v30.t12"', true, true],
    ['"v29.t12"', true, false],
    ['"v30.t11"', false, true],
    ['"t12"', true, false],
    ['"v30"', false, true],
    ['"v29.t11"', false, false],
    ['"12"', false, false],
    ['"abc"', false, false],
    ['""', false, false],
    [',', false, false],
    ['"v30.t12', true, true],
    ['"v3.0t12"', false, false],
    ['"v9999999999999999999.t12"', false, false],
    ['"v30.t12-r_k-5"', true, true],
    ['W/"v30.t12-r_k-5-gzip"', true, true],
    ['"v30.t12-r_k-5--gzip"', true, true],
    ['"v30.t12-r_k-5;br"', true, true],
    ['"v29.t12-r_k-5"', true, false],
    ['"v30.t12-r_k-6"', false, false],
    ['"v30.t12-r_"', false, false],
    ['"v30.t12-r_k/5"', false, false],
    ['"v1.t1-r_k-6", "t12-r_k-5"', true, false],
    ['"-r_k-5"', false, false],
  ])('%s', { tags: ['@Q90'] }, (header, text, other) => {
    const tags = readTags(header) ?? 'any'
    expect([holds(tags, 'textVersion', current), holds(tags, 'version', current)]).toEqual([
      text,
      other,
    ])
  })

  it('is no precondition when it is missing or blank', () => {
    expect([readTags(undefined), readTags(''), readTags('  ')]).toEqual([null, null, null])
  })

  it('reads what etagOf writes', () => {
    expect(isUnchanged(readTags(etagOf(current)), current)).toBe(true)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['"v30.t12"', true],
    ['W/"v30.t12"', true],
    ['"v1.t1", "v30.t12"', true],
    ['*', true],
    ['"v30.t11"', false],
    ['"v29.t12"', false],
    ['"t12"', false],
    ['"v30.t12-r_k-5"', true],
    ['"v30.t12-r_k-6"', false],
    [undefined, false],
  ])('%s', (header, unchanged) => {
    expect(isUnchanged(readTags(header), current)).toBe(unchanged)
  })

  it.each([
    ['"digest"', true],
    ['W/"digest"', true],
    ['"other", "digest"', true],
    ['*', true],
    ['"other"', false],
    [undefined, false],
  ])('of a list: %s', (header, unchanged) => {
    expect(hasTag(header, '"digest"')).toBe(unchanged)
  })
})
