import { beforeEach, describe, expect, test } from 'vitest'
import { statusMessage } from '../../domain/wire/status-message.ts'
import { RequestCallFailed } from '../../sync/auth/authenticated-send.ts'
import { NoAnswer } from '../../sync/ports.ts'
import { Refused } from '../remote/http.ts'
import { notices, useNotices } from './notices.ts'

const texts = () => useNotices.getState().list.map(({ title, details }) => `${title}: ${details}`)

beforeEach(() => useNotices.setState({ list: [], loading: true }))

describe('the snackbar of a failed call', () => {
  test.each([
    [
      'the server refused',
      new Refused(401, 'Incorrect email or password'),
      'Error Logging in: Incorrect email or password',
    ],
    [
      'the server refused without a message',
      new Refused(502, statusMessage(502)),
      'Error Logging in: An error has occured',
    ],
    ['nothing came back', new NoAnswer(), 'Error: An unexpected error has occured.'],
    ['the refresh failed', new RequestCallFailed(), 'Error: Request call failed'],
    ['something else', new TypeError('x'), 'Error Logging in: An error has occured'],
  ])(
    '%s',
    { tags: ['@ER-01', '@ER-04', '@ER-05', '@ER-06', '@ER-13', '@ER-20', '@Q46'] },
    (_, error, shown) => {
      notices.fail('Error Logging in', error)
      expect(texts()).toEqual([shown])
    },
  )

  test('the default text', { tags: ['@ER-06'] }, () => {
    notices.error('Article Error')
    expect(texts()).toEqual(['Article Error: An error has occured'])
  })

  test('the same failure again stays one snackbar', { tags: ['@Q46'] }, () => {
    notices.fail('Error', new NoAnswer())
    notices.error('Article Error', 'Forbidden')
    notices.fail('Error', new NoAnswer())
    expect(texts()).toEqual(['Article Error: Forbidden', 'Error: An unexpected error has occured.'])
  })

  test('several calls without a response are one snackbar', { tags: ['@Q46'] }, () => {
    notices.fail('Error modifying user', new NoAnswer())
    notices.fail('Error creating user', new NoAnswer())
    expect(texts()).toEqual(['Error: An unexpected error has occured.'])
  })

  test('the next of the same subject replaces it, success closes it and no other', () => {
    notices.fail('Error modifying user', new Refused(409, 'The e-mail is in use'))
    notices.fail('Error deleting user', new Refused(403, 'Forbidden'))
    notices.fail('Error modifying user', new NoAnswer())
    expect(texts()).toEqual([
      'Error deleting user: Forbidden',
      'Error: An unexpected error has occured.',
    ])
    notices.succeed('Error modifying user')
    expect(texts()).toEqual(['Error deleting user: Forbidden'])
  })
})

test('one snackbar per subject, by its title or by what it is given', () => {
  notices.success('Replaced', 'One place.')
  notices.success('Replaced', '4 places.')
  notices.success('Article deleted', 'Ferns', { subject: 'article 1' })
  notices.success('Article restored', 'Ferns', { subject: 'article 1' })
  notices.success('Article deleted', 'Birches', { subject: 'article 2' })
  expect(texts()).toEqual([
    'Replaced: 4 places.',
    'Article restored: Ferns',
    'Article deleted: Birches',
  ])
})

test('closing removes that one alone, newest are last', { tags: ['@ER-02'] }, () => {
  notices.success('One', 'first')
  notices.error('Two', 'second')
  notices.close(useNotices.getState().list[0]?.id ?? 0)
  expect(texts()).toEqual(['Two: second'])
})

test('a route change takes the errors away and leaves the rest', {
  tags: ['@ER-03', '@Q96'],
}, () => {
  notices.error('Error', 'gone')
  notices.success('Password changed', 'stays')
  notices.info('A new version is ready', 'stays too')
  notices.leavePage()
  expect(texts()).toEqual(['Password changed: stays', 'A new version is ready: stays too'])
})

test('the loading flag starts true and a screen ends it', {
  tags: ['@LH-07', '@LH-08', '@Q12'],
}, () => {
  expect(useNotices.getInitialState().loading).toBe(true)
  notices.endLoading()
  expect(useNotices.getState().loading).toBe(false)
})
