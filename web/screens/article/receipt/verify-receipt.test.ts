import { expect, test } from 'vitest'
import type { Receipt } from '../../../../domain/wire/hand-ins.ts'
import { type HttpAnswer, type HttpRequest, NoAnswer } from '../../../../sync/ports.ts'
import { type ReceiptVerdict, verifyReceipt } from './verify-receipt.ts'

const receipt = { number: 2 } as Receipt
const answer = (status: number, json: unknown = {}): HttpAnswer => ({
  status,
  json,
  header: () => null,
})

test.each<[HttpAnswer, ReceiptVerdict]>([
  [answer(200, { known: true, intact: true }), 'genuine'],
  // A restored server still knows its signature.
  [answer(200, { known: false, intact: true }), 'genuine'],
  [answer(200, { known: true, intact: false }), 'changed'],
  [answer(400), 'changed'],
  [answer(429), 'failed'],
  [answer(500), 'failed'],
])('%j means %s', async (given, verdict) => {
  const sent: HttpRequest[] = []
  const send = async (request: HttpRequest) => {
    sent.push(request)
    return given
  }
  expect(await verifyReceipt(send, receipt)).toBe(verdict)
  expect(sent).toMatchObject([
    { method: 'POST', path: '/hand-ins/verify', body: '{"receipt":{"number":2}}' },
  ])
})

test('without a response nothing is known; a receipt that shows something else needs none', async () => {
  const send = () => Promise.reject(new NoAnswer())
  expect(await verifyReceipt(send, receipt)).toBe('offline')
  expect(await verifyReceipt(send, null)).toBe('changed')
})
