import { beforeEach, describe, expect, test } from 'vitest'
import { RequestCallFailed } from '../sync/authorised.ts'
import { NoAnswer } from '../sync/ports.ts'
import { notices, useNotices } from './notices.ts'
import { Refused } from './remote/http.ts'

const texts = () => useNotices.getState().list.map(({ title, details }) => `${title}: ${details}`)

beforeEach(() => useNotices.setState({ list: [], loading: true }))

describe('the snackbar of a failed call', () => {
  test.each([
    [
      'ER-04 ER-13 the server refused',
      new Refused(401, 'Incorrect email or password'),
      'Error Logging in: Incorrect email or password',
    ],
    ['ER-05 nothing came back', new NoAnswer(), 'Error: An unexpected error has occured.'],
    ['ER-20 the refresh failed', new RequestCallFailed(), 'Error: Request call failed'],
    ['ER-06 something else', new TypeError('x'), 'Error Logging in: An error has occured'],
  ])('%s', (_, error, shown) => {
    notices.fail('Error Logging in', error)
    expect(texts()).toEqual([shown])
  })

  test('ER-06 the default text', () => {
    notices.error('Article Error')
    expect(texts()).toEqual(['Article Error: An error has occured'])
  })

  test('Q46 the same failure again stays one snackbar', () => {
    notices.fail('Error', new NoAnswer())
    notices.error('Article Error', 'Forbidden')
    notices.fail('Error', new NoAnswer())
    expect(texts()).toEqual(['Error: An unexpected error has occured.', 'Article Error: Forbidden'])
  })
})

test('ER-02 closing removes that one alone, newest stand first', () => {
  notices.success('One', 'first')
  notices.error('Two', 'second')
  notices.close(useNotices.getState().list[1]?.id ?? 0)
  expect(texts()).toEqual(['Two: second'])
})

test('ER-03 Q96 a route change takes the errors away and leaves the rest', () => {
  notices.error('Error', 'gone')
  notices.success('Password changed', 'stays')
  notices.info('A new version is ready', 'stays too')
  notices.leavePage()
  expect(texts()).toEqual(['A new version is ready: stays too', 'Password changed: stays'])
})

test('LH-07 the loading flag starts true and a screen ends it', () => {
  expect(useNotices.getInitialState().loading).toBe(true)
  notices.endLoading()
  expect(useNotices.getState().loading).toBe(false)
})
