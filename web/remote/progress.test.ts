import { expect, test } from 'vitest'
import type { HttpRequest } from '../../sync/ports.ts'
import { createProgress } from './progress.ts'

test('a change has the key that it is given, so that it can be asked for again', async () => {
  const asked: HttpRequest[] = []
  const progress = createProgress(async (request) => {
    asked.push(request)
    return { status: 200, json: { changed: 2 }, header: () => null }
  })
  const change = { wordMinimum: 700 }
  await progress.change({ dryRun: true, ids: ['a'], change })
  await progress.change({ dryRun: false, ids: ['a'], change }, 'key-1')
  expect(asked.map(({ headers }) => headers)).toEqual([{}, { 'Idempotency-Key': 'key-1' }])
})
