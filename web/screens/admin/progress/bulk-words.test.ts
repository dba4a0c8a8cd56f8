import { expect, test } from 'vitest'
import type { BulkAnswer } from '../../../../domain/wire/progress.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import { Refused } from '../../../remote/http.ts'
import { clientSentence, dueSentence, failureText, minimumSentence } from './bulk-words.ts'

const answer = (parts: Partial<BulkAnswer>): BulkAnswer => ({
  articles: 4,
  changed: 4,
  earlier: 0,
  longer: 0,
  losing: { count: 0, names: [] },
  ...parts,
})

test('a date says how many had another one', () => {
  expect(dueSentence(answer({}))).toBe('4 articles get this date.')
  expect(dueSentence(answer({ earlier: 3 }))).toBe(
    '4 articles get this date. 3 of them had an earlier one.',
  )
  expect(dueSentence(answer({ articles: 1, earlier: 1 }))).toBe(
    '1 article gets this date. It had an earlier one.',
  )
})

test('a minimum says how many are longer already', () => {
  expect(minimumSentence(answer({ longer: 1 }))).toBe(
    '4 articles get this minimum. 1 is longer already.',
  )
  expect(minimumSentence(answer({ longer: 2 }))).toBe(
    '4 articles get this minimum. 2 are longer already.',
  )
})

test('a client says who loses access', () => {
  const move = (count: number, names: string[]) =>
    clientSentence(answer({ losing: { count, names } }), 'Larkspur Gardens')
  expect(move(0, [])).toBe('4 articles move to Larkspur Gardens.')
  expect(move(1, ['Imogen Hale'])).toBe(
    '4 articles move to Larkspur Gardens. Imogen Hale loses access.',
  )
  expect(move(2, ['Imogen Hale', 'Tobias Wren'])).toBe(
    '4 articles move to Larkspur Gardens. Imogen Hale and Tobias Wren lose access.',
  )
  expect(move(120, ['Ada', 'Bea', 'Cy', 'Dan'])).toBe(
    '4 articles move to Larkspur Gardens. Ada, Bea, Cy and 117 more lose access.',
  )
  expect(clientSentence(answer({ changed: 0 }), 'Larkspur Gardens')).toBe('Nothing would change.')
  const losing = { count: 1, names: ['Imogen Hale'] }
  expect(clientSentence(answer({ losing }), null)).toBe(
    '4 articles will have no client. Imogen Hale loses access.',
  )
})

test('only a refusal says that nothing was changed', () => {
  expect(failureText(new Refused(400, 'Client not found'))).toBe(
    'Nothing was changed. Client not found',
  )
  expect(failureText(new NoAnswer())).not.toContain('Nothing was changed')
})

test('an article that was deleted by another admin is not on the screen: the way out is said', () => {
  expect(failureText(new Refused(404, 'Article not found'))).toBe(
    'Nothing was changed. One of these articles was deleted. Clear the selection and select the others again.',
  )
})
