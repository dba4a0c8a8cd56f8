import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

const NOW = Date.parse('2026-06-03T10:00:00.000Z')

test('a response in flight when the network was lost does not mark the connection as online', {
  tags: ['@Q52'],
}, () => {
  const connection = createConnection(false, () => NOW)
  const before = connection.begin()
  connection.lose()
  before(true)
  expect(connection.store.getState()).toMatchObject({ cutOff: true, unanswered: false })
})

test('a response to a request sent while the browser reports offline marks the connection as online', {
  tags: ['@Q52'],
}, () => {
  const connection = createConnection(true, () => NOW)
  connection.begin()(true)
  expect(connection.store.getState()).toMatchObject({ cutOff: false, unanswered: false })
})

test('a request without a response is reported until the next response', () => {
  const connection = createConnection(false, () => NOW)
  connection.begin()(false)
  expect(connection.store.getState()).toMatchObject({ cutOff: false, unanswered: true })
  connection.begin()(true)
  expect(connection.store.getState()).toMatchObject({ cutOff: false, unanswered: false })
})

test('the online event takes effect immediately, whatever failed before', () => {
  const connection = createConnection(true, () => NOW)
  connection.begin()(false)
  connection.find()
  expect(connection.store.getState()).toMatchObject({ cutOff: false, unanswered: false })
})

test.each([
  ['Wed, 03 Jun 2026 12:00:30 GMT', 7_200_000],
  ['Wed, 03 Jun 2026 08:00:00 GMT', -7_200_000],
  ['Wed, 03 Jun 2026 10:00:50 GMT', 0],
  [null, 0],
])('a server that says it is %s is %i ms ahead', { tags: ['@BA-01'] }, (serverTime, ahead) => {
  const connection = createConnection(false, () => NOW)
  connection.begin()(true, serverTime)
  expect(Math.abs(connection.store.getState().serverAheadMs - ahead)).toBe(0)
})
