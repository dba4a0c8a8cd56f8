import { expect, test } from 'vitest'
import { openArchive, type ZipWorker } from './archive.ts'

const FILE = { kind: 'file', path: 'index.csv', content: '' } as const

test.each([
  ['before the first file', 0],
  ['while a file is added', 1],
])('an archive whose worker failed %s rejects every file', { timeout: 500 }, async (_, asked) => {
  const worker: ZipWorker = { onmessage: null, onerror: null, terminate() {}, postMessage() {} }
  const archive = openArchive(() => worker)
  const earlier = Array.from({ length: asked }, () => archive.add(FILE))
  worker.onerror?.call(worker as Worker, {} as ErrorEvent)
  const added = await Promise.allSettled([...earlier, archive.add(FILE), archive.finish()])
  expect(new Set(added.map(({ status }) => status))).toEqual(new Set(['rejected']))
})
