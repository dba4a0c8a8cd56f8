import { nameIn } from '../names/name-in-cell.ts'
import { caseless } from '../names/same-name.ts'
import { cellOf, isFilled, type ListLine } from './article-list-cells.ts'
import type { ListColumns, ListField } from './article-list-fields.ts'

/**
 * Which rows of a list belong to one article, where each row is one entity. Rows with the same name and client are one
 * article, wherever they are.
 *
 * - A row without a name continues the article of the row directly above when it has a keyword and none of its other
 *   cells says anything else than that article. An empty row ends an article.
 * - A row with a name and no client has the client of the nearest row with that name above, or else below.
 * - Between rows of an article, a row with its name and another client is a mistake. Where the rows of each client follow
 *   each other, they are two articles of the same name.
 */
export type RowGroup = {
  /** '' for rows that name no article. */
  name: string
  client: string
  lines: ListLine[]
  /** Rows that name another client than `than`, a row of the article. */
  otherClients: { line: ListLine; than: number }[]
}

type Entry = {
  line: ListLine
  name: string
  nameKey: string
  client: string
  clientKey: string
  /** The row that names another client. */
  than: number | null
}

/** `lines` have something in a column that is used. */
export function groupRows(lines: readonly ListLine[], columns: ListColumns): RowGroup[] {
  const entries = namedEntries(lines, columns)
  fillClients(entries)
  for (const run of runsOf(entries)) findOtherClients(run)
  const groups = new Map<string, RowGroup>()
  const list: RowGroup[] = []
  let nameless: { group: RowGroup; row: number } | null = null
  for (const { line, name, nameKey, client, clientKey, than } of entries) {
    if (name === '') {
      if (nameless?.row !== line.row - 1) {
        nameless = { group: { name, client, lines: [], otherClients: [] }, row: line.row }
        list.push(nameless.group)
      }
      nameless.group.lines.push(line)
      nameless.row = line.row
      continue
    }
    const key = `${nameKey}\n${clientKey}`
    let group = groups.get(key)
    if (group === undefined) {
      group = { name, client, lines: [], otherClients: [] }
      groups.set(key, group)
      list.push(group)
    }
    group.lines.push(line)
    if (than !== null) group.otherClients.push({ line, than })
  }
  return list
}

/** Reads names and what is compared of them. Lists repeat few names in many rows, so each is read once. */
export function nameReader() {
  const known = new Map<string, { name: string; key: string }>()
  return (cell: string) => {
    const found = known.get(cell)
    if (found !== undefined) return found
    const name = isFilled(cell) ? nameIn(cell) : ''
    const read = { name, key: caseless(name) }
    known.set(cell, read)
    return read
  }
}

function namedEntries(lines: readonly ListLine[], columns: ListColumns): Entry[] {
  const nameOf = nameReader()
  const continues = continuation(columns)
  const entries: Entry[] = []
  for (const line of lines) {
    const { name, key: nameKey } = nameOf(cellOf(line, columns, 'article'))
    const { name: client, key: clientKey } = nameOf(cellOf(line, columns, 'client'))
    const above = entries.at(-1)
    const isContinued = continues(line, name)
    entries.push(
      isContinued && above !== undefined
        ? { ...above, line }
        : { line, name, nameKey, client, clientKey, than: null },
    )
  }
  return entries
}

const OF_ARTICLE: readonly ListField[] = [
  'client',
  'minimum',
  'due',
  'template',
  'brief',
  'outline',
]

/** Returns a check whether a row continues the article of the row above, for rows in their order. */
function continuation(columns: ListColumns) {
  let lastRow = 0
  /** What the article has said so far; null where no article is above. */
  let said: Map<ListField, string> | null = null
  return (line: ListLine, name: string): boolean => {
    const isNext = line.row === lastRow + 1
    const filled = OF_ARTICLE.map((field) => [field, cellOf(line, columns, field).trim()] as const)
      // Most cells are empty or the same.
      .filter(([, text]) => isFilled(text))
    const agrees = filled.every(([field, text]) => said?.get(field) === text)
    const hasKeyword = isFilled(cellOf(line, columns, 'keyword'))
    const isContinued = name === '' && isNext && said !== null && hasKeyword && agrees
    lastRow = line.row
    if (name !== '') said = new Map(filled)
    else if (!isContinued) said = null
    return isContinued
  }
}

function fillClients(entries: readonly Entry[]): void {
  for (const order of [entries, entries.toReversed()]) {
    const nearest = new Map<string, Entry>()
    for (const entry of order) {
      if (entry.client !== '') nearest.set(entry.nameKey, entry)
      else if (entry.name !== '') {
        const named = nearest.get(entry.nameKey)
        if (named === undefined) continue
        entry.client = named.client
        entry.clientKey = named.clientKey
      }
    }
  }
}

/** Rows that follow each other and have the same name. */
function runsOf(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]?.nameKey === entry.nameKey) run.push(entry)
    else runs.push([entry])
  }
  return runs
}

function findOtherClients(run: Entry[]): void {
  const last = new Map<string, number>()
  for (const [at, { clientKey, client }] of run.entries()) {
    const before = last.get(clientKey) ?? at
    for (const between of run.slice(before + 1, at)) {
      if (between.clientKey === clientKey) continue
      last.delete(between.clientKey)
      between.than = run[before]?.line.row ?? null
      between.clientKey = clientKey
      between.client = client
    }
    last.set(clientKey, at)
  }
}
