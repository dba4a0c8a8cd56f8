import { describe, expect, test } from 'vitest'
import { createEntitiesImport, isUnfinished, type OpenEntitiesSession } from './entities-import.ts'
import { createEntitiesSession, type ImportedList } from './entities-session.ts'

/** The real session in place of the worker; `held` responses are delayed until released, the last one first. */
function startImport({ blocked = false } = {}) {
  const results: (ImportedList | null)[] = []
  const waiting: (() => void)[] = []
  const log: string[] = []
  const openSession: OpenEntitiesSession = (hear) => {
    const name = `session ${log.filter((line) => line.startsWith('open')).length + 1}`
    log.push(`open ${name}`)
    const ask = createEntitiesSession((message) => {
      if (blocked) waiting.push(() => hear.answer(message))
      else hear.answer(message)
    })
    return { ask: (question) => void ask(question), close: () => log.push(`close ${name}`) }
  }
  const csv = createEntitiesImport(openSession, (result) => results.push(result))
  return {
    csv,
    results,
    log,
    state: () => csv.store.getState(),
    last: () => results.at(-1)?.keywords.map(({ keyword }) => keyword) ?? null,
    letGo: () =>
      waiting
        .splice(0)
        .reverse()
        .forEach((task) => void task()),
  }
}

const csvFile = (text: string | Uint8Array<ArrayBuffer>, name = 'list.csv', type = 'text/csv') =>
  new File([text], name, { type })

/** Everything that a session does is done. */
const settled = () => new Promise((done) => setImmediate(() => setImmediate(done)))

const HEADED = 'Keyword,Source,Score\nGarden Path,E,5\nlumen,I,72\n'

describe('choosing a file', () => {
  test('a list with known headers is imported at once, categorised', {
    tags: ['@AF-22', '@CSV-19', '@KW-17'],
  }, async () => {
    const { csv, state, results } = startImport()
    csv.choose(csvFile(HEADED))
    expect(state().progress).toBe(0)
    await settled()
    expect(state()).toMatchObject({ fault: null, progress: null })
    expect(state().decoding).toEqual({ encoding: 'utf-8', isGuess: false, broken: 0 })
    expect(results.at(-1)?.keywords).toEqual([
      { keyword: 'garden path', source: 'E', score: '5', category: 'Must Use' },
      { keyword: 'lumen', source: 'I', score: '72', category: 'Need to Use' },
    ])
  })

  test('taking the file away takes its entities away', {
    tags: ['@CSV-01', '@CSV-23'],
  }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(HEADED))
    await settled()
    csv.choose(null)
    expect(last()).toBeNull()
    expect(state()).toMatchObject({ file: null, fault: 'A file is required', sample: null })
  })

  test('a wrong file clears the result, a right one the error', {
    tags: ['@CSV-09', '@CSV-23', '@VA-13', '@ER-18'],
  }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(HEADED))
    await settled()
    csv.choose(csvFile('{}', 'list.json', 'application/json'))
    expect(state()).toMatchObject({ fault: 'Invalid file type', result: null, sample: null })
    expect(last()).toBeNull()
    csv.choose(csvFile(HEADED))
    expect(state().fault).toBeNull()
    await settled()
    expect(last()).toEqual(['garden path', 'lumen'])
  })

  test('a workbook named .csv is refused by its content', { tags: ['@Q73'] }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2), 'list.csv', ''))
    await settled()
    expect(state()).toMatchObject({ fault: 'Invalid file type', progress: null })
    expect(last()).toBeNull()
  })

  test('reports the encoding that the file was read with', { tags: ['@Q75'] }, async () => {
    const { csv, state, last } = startImport()
    const bytes = Uint8Array.from('Keyword;Source;Score\ncaf\u00e9;E;4', (sign) =>
      sign.charCodeAt(0),
    )
    csv.choose(csvFile(bytes))
    await settled()
    expect(state().decoding).toMatchObject({ encoding: 'windows-1252', isGuess: true })
    expect(last()).toEqual(['café'])
  })

  test('100,000 rows are refused', async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(`Keyword,Source,Score\n${'garden path,E,5\n'.repeat(100_000)}`))
    await settled()
    expect(state().fault).toBe('The file has more than 20,000 rows')
    expect(last()).toBeNull()
  })

  test('a newer file aborts the reading of the older one, whose results are ignored', async () => {
    const { csv, state, log, last, letGo } = startImport({ blocked: true })
    csv.choose(csvFile('Source,Score,Keyword,Note\nE,5,old,x\n'))
    await settled()
    csv.choose(csvFile('Keyword,Source,Score\nnew,E,5\n'))
    await settled()
    letGo()
    await settled()
    letGo()
    expect(state().sample?.labels).toEqual(['Keyword', 'Source', 'Score'])
    expect(last()).toEqual(['new'])
    expect(log).toEqual(['open session 1', 'close session 1', 'open session 2'])
  })

  test('a file that cannot be read says so', async () => {
    const { csv, state } = startImport()
    const gone = Object.assign(csvFile(HEADED), { arrayBuffer: () => Promise.reject(new Error()) })
    csv.choose(gone)
    await settled()
    expect(state()).toMatchObject({ fault: 'The file could not be read', progress: null })
  })

  test.each([
    ['Keyword,Source,Score\n', 'The file has no rows'],
    ['Keyword,Source,Score\n★,E,5\n', 'No row of the file can be used'],
  ])('%j leaves the old entities alone: %s', async (text, fault) => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(text))
    await settled()
    expect(state().fault).toBe(fault)
    expect(last()).toBeNull()
  })
})

const bytesOf = (text: string, signs: Record<string, number>) =>
  Uint8Array.from(text, (sign) => signs[sign] ?? sign.charCodeAt(0))
const utf16 = (text: string) =>
  Uint8Array.from([...text].flatMap((sign) => [sign.charCodeAt(0) % 256, sign.charCodeAt(0) >> 8]))

describe('encodings and headers', () => {
  const BALTIC = bytesOf('Keyword;Source;Score\nžalia sodyba;E;4,5\n', { ž: 0xfe })

  test('another encoding is read from the same file, and its list follows', {
    tags: ['@Q75'],
  }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(BALTIC))
    await settled()
    expect(last()).toEqual(['þalia sodyba'])
    csv.setEncoding('windows-1257')
    await settled()
    expect(last()).toEqual(['žalia sodyba'])
    expect(state()).toMatchObject({ rebuilding: false, decoding: { isGuess: true } })
    expect(state().sample?.rows[0]).toEqual(['žalia sodyba', 'E', '4,5'])
  })

  test('an encoding by which nothing can be read leaves the choice of another', {
    tags: ['@Q75'],
  }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile('Keyword,Source,Score\n"jugs",E,5\n'))
    await settled()
    csv.setEncoding('utf-16be')
    await settled()
    expect(last()).toBeNull()
    expect(state()).toMatchObject({ decoding: { encoding: 'utf-16be' } })
    csv.setEncoding('utf-8')
    await settled()
    expect(last()).toEqual(['jugs'])
  })

  test('of two encodings chosen one after the other the last one counts', {
    tags: ['@Q75'],
  }, async () => {
    const { csv, state, last, letGo } = startImport({ blocked: true })
    csv.choose(csvFile(BALTIC))
    for (let step = 0; step < 2; step += 1) {
      await settled()
      letGo()
    }
    csv.setEncoding('windows-1250')
    csv.setEncoding('windows-1257')
    expect(isUnfinished(state())).toBe(true)
    for (let step = 0; step < 2; step += 1) {
      await settled()
      letGo()
    }
    expect(last()).toEqual(['žalia sodyba'])
  })

  test('a byte order mark sets the encoding despite a broken byte, which is reported', {
    tags: ['@Q75'],
  }, async () => {
    const { csv, state, last } = startImport()
    const list = new TextEncoder().encode('\ufeffKeyword,Source,Score\nžalia,E,5\ncaf')
    csv.choose(csvFile(Uint8Array.of(...list, 0xe9, 0x2c, 0x45)))
    await settled()
    expect(last()).toEqual(['žalia', 'caf'])
    expect(state().decoding).toEqual({ encoding: 'utf-8', isGuess: false, broken: 1 })
  })

  const TITLED =
    '\ufeffKeyword stats\n1 November 2026 - 30 November 2026\n\nKeyword\tSource\tScore\njugs\tE\t5\n'

  test('the headers below title and date lines are found in UTF-16', async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(utf16(TITLED)))
    await settled()
    expect(state()).toMatchObject({ headerRow: 3, headerRows: [0, 1, 3, 4] })
    expect(last()).toEqual(['jugs'])
  })

  test('the row of the headers can be chosen when none has all names', {
    tags: ['@CSV-22'],
  }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile('A list\n\nTerm;Source;Score\njugs;E;5\n'))
    await settled()
    expect(state()).toMatchObject({ headerRow: 0, result: null, headerRows: [0, 2, 3] })
    csv.setHeaderRow(2)
    expect(state().sample).toMatchObject({ labels: ['Term', 'Source', 'Score'] })
    expect(state().mapping).toEqual({ source: 1, score: 2 })
    csv.setColumn('keyword', 0)
    await settled()
    expect(last()).toEqual(['jugs'])
    csv.setHasHeaders(false)
    await settled()
    expect(last()).toEqual(['a list', 'term', 'jugs'])
  })

  test('the skipped rows are a file that can be corrected and uploaded', async () => {
    const { csv, last, results } = startImport()
    csv.choose(csvFile('Keyword;Source;Score\n;E;4,5\njugs;E;5\nred; jugs;E;7,5\n'))
    await settled()
    const file = results.at(-1)?.skippedFile ?? ''
    expect(file.split('\r\n')).toEqual([
      'Row;Reason;Keyword;Source;Score',
      '2;without a keyword;;E;4,5',
      '4;with shifted columns;red;" jugs";E;7,5',
      '',
    ])
    csv.choose(
      csvFile(file.replace('keyword;;', 'keyword;mugs;').replace(';red;" jugs"', ';red jugs')),
    )
    await settled()
    expect(last()).toEqual(['mugs', 'red jugs'])
    expect(results.at(-1)?.skippedFile).toBe('')
  })

  test('skipped rows of a list without headers get names', async () => {
    const { csv, results } = startImport()
    csv.choose(csvFile('jugs,E,note,5\n,E,note,=4\n'))
    await settled()
    csv.setHasHeaders(false)
    csv.setColumn('keyword', 0)
    csv.setColumn('source', 1)
    csv.setColumn('score', 3)
    await settled()
    expect(results.at(-1)?.skippedFile).toBe(
      "Row,Reason,Keyword,Source,Column 3,Score\r\n2,without a keyword,,E,note,'=4\r\n",
    )
  })

  test('a list without a usable row has a reason for each row', async () => {
    const { csv, state } = startImport()
    csv.choose(csvFile('Keyword,Source,Score\njugs, copper,I,80\n'))
    await settled()
    expect(state()).toMatchObject({ fault: 'No row of the file can be used' })
    expect(state().result?.skipped).toEqual([{ row: 2, reason: 'shifted' }])
  })
})

describe('mapping', () => {
  const NAMELESS = 'garden path,E,5\nlumen,I,72\n'

  test('a list without headers is imported when every field has its column', {
    tags: ['@CSV-13', '@CSV-20', '@VA-14'],
  }, async () => {
    const { csv, state, last, results } = startImport()
    csv.choose(csvFile(NAMELESS))
    await settled()
    expect(state()).toMatchObject({ mapping: {}, result: null, fault: null, progress: null })
    csv.setHasHeaders(false)
    csv.setColumn('keyword', 0)
    csv.setColumn('source', 1)
    await settled()
    expect(last()).toBeNull()
    csv.setColumn('score', 2)
    await settled()
    expect(last()).toEqual(['garden path', 'lumen'])
    expect(results.at(-1)?.keywords[0]?.category).toBe('Must Use')
  })

  test('the box and the columns rebuild the entities from the same file', {
    tags: ['@CSV-22'],
  }, async () => {
    const { csv, last } = startImport()
    csv.choose(csvFile(HEADED))
    await settled()
    csv.setHasHeaders(false)
    await settled()
    expect(last()).toEqual(['keyword', 'garden path', 'lumen'])
    csv.setColumn('keyword', 2)
    await settled()
    expect(last()).toEqual(['score', '5', '72'])
    csv.setHasHeaders(true)
    await settled()
    expect(last()).toEqual(['5', '72'])
  })

  test('a field that loses its column ends the import', { tags: ['@CSV-13'] }, async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(HEADED))
    await settled()
    csv.setColumn('source', null)
    expect(last()).toBeNull()
    expect(state().mapping).toEqual({ keyword: 0, score: 2 })
  })

  test('of two quick changes only the last one counts', async () => {
    const { csv, last, letGo } = startImport({ blocked: true })
    csv.choose(csvFile(HEADED))
    await settled()
    letGo()
    csv.setColumn('keyword', 1)
    csv.setColumn('keyword', 2)
    await settled()
    letGo()
    expect(last()).toEqual(['5', '72'])
  })

  test('20,001 rows are one too many only without headers', async () => {
    const { csv, state, last } = startImport()
    csv.choose(csvFile(`Keyword,Source,Score\n${'garden path,E,5\n'.repeat(20_000)}`))
    await settled()
    expect(last()).toHaveLength(5_000)
    csv.setHasHeaders(false)
    await settled()
    expect(state().fault).toBe('The file has more than 20,000 rows')
    csv.setHasHeaders(true)
    await settled()
    expect(state().fault).toBeNull()
    expect(last()).toHaveLength(5_000)
  })
})
