import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

test('Q52 an answer that was on its way when the network went says nothing of the line', () => {
  const connection = createConnection(false)
  const before = connection.begin()
  connection.lose()
  before(true)
  expect(connection.store.getState()).toEqual({ cutOff: true, unanswered: false })
})

test('Q52 an answer that was asked for while the browser says there is no network proves it wrong', () => {
  const connection = createConnection(true)
  connection.begin()(true)
  expect(connection.store.getState()).toEqual({ cutOff: false, unanswered: false })
})

test('an exchange without an answer is told until the next one with an answer', () => {
  const connection = createConnection(false)
  connection.begin()(false)
  expect(connection.store.getState()).toEqual({ cutOff: false, unanswered: true })
  connection.begin()(true)
  expect(connection.store.getState()).toEqual({ cutOff: false, unanswered: false })
})

test('a network that is back is one at once, whatever was asked for in vain before', () => {
  const connection = createConnection(true)
  connection.begin()(false)
  connection.find()
  expect(connection.store.getState()).toEqual({ cutOff: false, unanswered: false })
})
