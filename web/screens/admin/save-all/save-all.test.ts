import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../../domain/lists/csv.ts'
import type { Article } from '../../../../domain/wire/articles.ts'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import { openArchive, type ZipWorker } from './archive.ts'
import { PART_ARTICLES_MAX, type SaveAllPorts, saveAll } from './save-all.ts'
import { createZipSession, type ZipAnswer } from './zip-session.ts'

/** The session of the worker, on this thread. */
function openWorker(): ZipWorker {
  const worker: ZipWorker = {
    onmessage: null,
    onerror: null,
    terminate() {},
    postMessage: (question) => queueMicrotask(() => ask(question)),
  }
  const ask = createZipSession((answer: ZipAnswer) =>
    worker.onmessage?.call(worker as Worker, { data: answer } as MessageEvent),
  )
  return worker
}

const text = (words: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

const article = (id: string, more: Partial<Article> = {}): Article => ({
  id,
  _id: id,
  name: `Article ${id}`,
  clientId: { id: 'c', name: 'Larkspur Gardens', users: [] },
  wordMinimum: 0,
  articleText: text(`Words of ${id}.`),
  keywordList: [],
  completed: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-25T10:42:07.000Z',
  version: 1,
  textVersion: 1,
  ...more,
})

const receipt = { article: { id: '2', name: 'Article 2' }, number: 1 } as Receipt
const handIn = { number: 1, receipt } as HandIn

const ports = (more: Partial<SaveAllPorts>): SaveAllPorts => ({
  read: async (id) => article(id),
  handIns: async () => [handIn],
  kept: async () => null,
  receiptFile: ({ article: { name } }) => `<title>Receipt of ${name}</title>`,
  openArchive: () => openArchive(openWorker),
  ...more,
})

const request = (ids: readonly string[], format: 'txt' | 'docx' = 'txt') => ({
  wanted: ids.map((id) => ({ id, name: `Article ${id}` })),
  isPart: false,
  format,
  onProgress: () => {},
  signal: new AbortController().signal,
})

async function unpacked(part: Blob | undefined) {
  const files = unzipSync(new Uint8Array(await (part as Blob).arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]))
}

const indexOf = (files: Record<string, string>) => {
  const csv = (files['index.csv'] ?? '').replace(/^\ufeff/, '')
  const read = readCsv(csv, (cells) => cells.includes('Article'))
  return 'rows' in read ? read.rows.slice(1) : []
}

describe('saving many articles', () => {
  test('a file for each in the folder of its client, with receipts and an index', async () => {
    const read = async (id: string) =>
      id === '3'
        ? article(id, { name: 'ARTICLE 1' })
        : article(id, id === '2' ? { handIns: 1 } : {})
    const result = await saveAll(ports({ read }), request(['1', '2', '3']))
    expect(result).toMatchObject({ saved: 3, fromHere: 0, missing: [], withoutReceipts: [] })
    const files = await unpacked(result.parts[0])
    expect(Object.keys(files)).toEqual([
      'Larkspur Gardens/Article 1.txt',
      'Larkspur Gardens/Article 2.txt',
      'Larkspur Gardens/Receipts/Article 2 – receipt 1.html',
      // Some file systems would take both names for one.
      'Larkspur Gardens/ARTICLE 1 (2).txt',
      'index.csv',
    ])
    expect(files['Larkspur Gardens/Article 2.txt']).toBe('Words of 2.\n')
    expect(indexOf(files)[1]?.slice(0, 7)).toEqual([
      'Article 2',
      'Larkspur Gardens',
      'Larkspur Gardens/Article 2.txt',
      '3',
      'No',
      '2026-11-25 10:42:07',
      '1',
    ])
  })

  test('what could not be fetched is in the index and in the result, never left out silently', async () => {
    const read = async (id: string) => {
      if (id === '2') throw new Error('Article not found')
      if (id !== '1') throw new NoAnswer()
      return article(id, { handIns: 1 })
    }
    const kept = async (id: string) =>
      id === '3'
        ? { name: 'Three', client: null, text: text('Here.'), at: Date.UTC(2026, 10, 25, 10, 31) }
        : null
    const handIns = async () => {
      throw new NoAnswer()
    }
    const result = await saveAll(ports({ read, kept, handIns }), request(['1', '2', '3', '4']))
    expect(result).toMatchObject({
      saved: 2,
      fromHere: 1,
      missing: [
        { id: '2', reason: 'Article not found' },
        { id: '4', reason: 'No connection, and not on this computer' },
      ],
    })
    expect(result.withoutReceipts.map(({ id }) => id)).toEqual(['1', '3'])
    const files = await unpacked(result.parts[0])
    expect(files['No client/Three.txt']).toBe('Here.\n')
    expect(indexOf(files).map((row) => [row[0], row[6], row[7]])).toEqual([
      ['Article 1', 'Not fetched', ''],
      ['Article 2', '', 'Missing: Article not found'],
      ['Three', 'Not fetched', 'Text on this computer, 2026-11-25 10:31:00 UTC'],
      ['Article 4', '', 'Missing: No connection, and not on this computer'],
    ])
  })

  test('a list that may be longer says so', async () => {
    const result = await saveAll(ports({}), { ...request(['1']), isPart: true })
    expect(result.isPart).toBe(true)
    expect(
      indexOf(await unpacked(result.parts[0]))
        .at(-1)
        ?.join(''),
    ).toBe('No connection: other articles of the client may be missing')
  })

  test('more than one archive takes are in parts, each with its index', async () => {
    const ids = Array.from({ length: PART_ARTICLES_MAX + 2 }, (_, at) => String(at))
    const result = await saveAll(ports({}), request(ids))
    expect(result.parts).toHaveLength(2)
    expect(indexOf(await unpacked(result.parts[0]))).toHaveLength(PART_ARTICLES_MAX)
    expect(indexOf(await unpacked(result.parts[1]))).toHaveLength(2)
  })

  test('cancelled, it asks for no more and gives no file', async () => {
    const asked: string[] = []
    const ending = new AbortController()
    const read = async (id: string) => {
      asked.push(id)
      return article(id)
    }
    const saving = saveAll(ports({ read }), {
      ...request(Array.from({ length: 50 }, (_, at) => String(at))),
      signal: ending.signal,
      onProgress: (done) => done === 3 && ending.abort(),
    })
    await expect(saving).rejects.toThrow()
    expect(asked.length).toBeLessThan(12)
  })

  test('names that begin like a formula or a path stay names', async () => {
    const read = async (id: string) =>
      article(id, { name: '=HYPERLINK("x")', clientId: { id: 'c', name: '../..', users: [] } })
    const files = await unpacked((await saveAll(ports({ read }), request(['1'], 'docx'))).parts[0])
    expect(Object.keys(files)[0]).not.toContain('..')
    expect(files['index.csv']).toContain("'=HYPERLINK")
  })
})
