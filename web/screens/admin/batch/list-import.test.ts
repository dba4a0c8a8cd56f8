import { expect, test } from 'vitest'
import { createListImport, type OpenListSession } from './list-import.ts'
import { createListSession } from './list-session.ts'

/** The real session in place of the worker. */
function startImport() {
  let closed = 0
  const open: OpenListSession = ({ answer }) => {
    const ask = createListSession(answer)
    return {
      ask: (question) => void ask(question),
      close: () => {
        closed += 1
      },
    }
  }
  const list = createListImport(open)
  return { list, state: () => list.store.getState(), closed: () => closed }
}

const settled = () => new Promise((done) => setImmediate(() => setImmediate(done)))
const csvFile = (text: string, name = 'briefs.csv', type = 'text/csv') =>
  new File([text], name, { type })

const LIST = [
  'Title;Customer;Words;Deadline;Keyword;Score',
  'Ferns;Larkspur;900;03.12.2026;fern;4,5',
  'Ferns;Larkspur;900;03.12.2026;frond;2',
  'Moss;Larkspur;about 900;04.12.2026;;',
].join('\n')

test('a file is read into articles with the columns that its labels name', async () => {
  const { list, state } = startImport()
  list.choose(csvFile(LIST))
  expect(state().progress).toBe(0)
  await settled()
  expect(state()).toMatchObject({
    fault: null,
    progress: null,
    separator: ';',
    headerRow: 0,
    columns: { article: 0, client: 1, minimum: 2, due: 3, keyword: 4, score: 5 },
    readShape: 'entity',
    decoding: { encoding: 'utf-8' },
  })
  expect(state().list?.counts).toMatchObject({ articles: 2, ready: 1, entities: 2 })
  expect(state().list?.articles.map(({ name, faults }) => [name, faults.length])).toEqual([
    ['Ferns', 0],
    ['Moss', 1],
  ])
})

test('a list without a column for the articles is none until one is chosen', async () => {
  const { list, state } = startImport()
  list.choose(csvFile('What;Much\nFerns;900\nMoss;700'))
  await settled()
  expect(state()).toMatchObject({ list: null, fault: null, headerRow: null })
  list.setHeaderRow(0)
  list.setColumn('article', 0)
  list.setColumn('minimum', 1)
  await settled()
  expect(state().list?.articles.map(({ article }) => article)).toEqual([
    { name: 'Ferns', wordMinimum: 900 },
    { name: 'Moss', wordMinimum: 700 },
  ])
})

test('the last of several choices is what is read', async () => {
  const { list, state } = startImport()
  list.choose(csvFile(LIST))
  await settled()
  list.setReading({ decimal: ',' })
  list.setReading({ decimal: '.' })
  await settled()
  expect(state().list?.decimal).toBe('.')
})

test('the order of dates with strokes is open until it is chosen, for this column', async () => {
  const { list, state } = startImport()
  list.choose(csvFile('Title;Due;Delivery\nFerns;12/3/2026;13/12/2026\nMoss;3.12.2026;'))
  await settled()
  expect(state().list?.days).toEqual({ order: 'day first', signs: ['/', '.'], isSure: false })
  list.setReading({ dayOrder: 'month first' })
  await settled()
  expect(state().list?.days?.isSure).toBe(true)
  expect(state().list?.articles.map(({ article }) => article?.dueOn)).toEqual([
    '2026-12-03',
    '2026-12-03',
  ])
  list.setColumn('due', 2)
  await settled()
  expect(state().list?.days).toEqual({ order: 'day first', signs: ['/'], isSure: true })
  list.setColumn('due', 1)
  await settled()
  expect(state().list?.days?.isSure).toBe(false)
})

test('chosen columns stay when the bytes of the file are read in another way', async () => {
  const { list, state } = startImport()
  list.choose(csvFile('Note\nWhat;Due;Much\nFerns;3.12.2026;900'))
  await settled()
  list.setHeaderRow(1)
  list.setColumn('article', 0)
  list.setColumn('minimum', 2)
  list.setEncoding('windows-1252')
  await settled()
  expect(state()).toMatchObject({ headerRow: 1, columns: { article: 0, due: 1, minimum: 2 } })
  expect(state().list?.articles.map(({ article }) => article)).toEqual([
    { name: 'Ferns', dueOn: '2026-12-03', wordMinimum: 900 },
  ])
})

test('pasted cells are read when they are asked for', async () => {
  const { list, state } = startImport()
  list.paste('Title\tWords\nTwelve Ferns\t900')
  expect(state().list).toBeNull()
  list.readCells()
  await settled()
  expect(state()).toMatchObject({ decoding: null, separator: '\t' })
  expect(state().list?.articles[0]?.name).toBe('Twelve Ferns')
})

test('a file that is no list says why, and another one can be chosen', async () => {
  const { list, state, closed } = startImport()
  list.choose(csvFile('{}', 'list.json', 'application/json'))
  expect(state()).toMatchObject({ fault: 'Invalid file type', head: null })
  list.choose(csvFile('\n\n'))
  await settled()
  expect(state().fault).toBe('The file is empty')
  list.choose(csvFile(LIST))
  await settled()
  expect(state()).toMatchObject({ fault: null })
  expect(closed()).toBe(1)
  list.choose(null)
  expect(state()).toMatchObject({ head: null, list: null, fault: null })
})
