import { expect, it } from 'vitest'
import type { Template } from '../../../../domain/wire/templates.ts'
import { templateWords } from './template-words.ts'

const template: Template = {
  id: 't1',
  name: 'Garden guide',
  hasBrief: true,
  headings: 6,
  wordMinimum: 900,
  entities: 1_200,
  changedBy: { id: 'u1', name: 'Clara Whitlock' },
  changedAt: '2026-03-02T09:00:00.000Z',
}

it.each([
  [{}, 'a brief, 6 headings and 1,200 entities'],
  [{ headings: 1, entities: 1 }, 'a brief, 1 heading and 1 entity'],
  [{ headings: 0, entities: 0 }, 'a brief'],
  [{ hasBrief: false, headings: 0, entities: 0 }, 'only a minimum'],
])('a template with %o gives %s', (given, words) => {
  expect(templateWords({ ...template, ...given })).toBe(words)
})
