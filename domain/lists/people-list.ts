import { cleanName } from '../names/name.ts'
import { type CsvFault, readCsv } from './csv.ts'

/** One person of a pasted list; `client` is empty where the line names none. Nothing is checked yet. */
export type ReadPerson = { line: string; name: string; email: string; client: string }

type Column = 'name' | 'email' | 'client'

const HEADS: readonly (readonly [Column, RegExp])[] = [
  ['email', /^(e-?mail|mail)( address)?$/i],
  ['client', /^(client|customer|company|organi[sz]ation)$/i],
  ['name', /^((full|first|last|given|family) ?)?name$/i],
]
/** How programs for mail copy an address. */
const ADDRESSED = /^(?<name>.*?)\s*<(?<email>[^<>]*@[^<>]*)>$/

const columnOf = (cell: string): Column | null =>
  HEADS.find(([, head]) => head.test(cell.trim()))?.[0] ?? null

const isHeader = (row: readonly string[]): boolean =>
  row.some((cell) => columnOf(cell) === 'email') && !row.some((cell) => cell.includes('@'))

/**
 * Reads one person a line, in any dialect of CSV or as cells of a spreadsheet. Without headers the cells before the e-mail
 * address are the name and the one after it is the client; where the address comes first, the name follows it.
 */
export function readPeople(
  text: string,
): { ok: true; people: ReadPerson[] } | { ok: false; fault: CsvFault } {
  const read = readCsv(text, isHeader)
  if (!read.ok) return read
  const [first = [], ...rest] = read.rows
  const columns = isHeader(first) ? first.map(columnOf) : null
  const rows = columns ? rest : read.rows
  const people = rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row) => {
      const cells = row.flatMap(addressed)
      const named = columns && cells.length === row.length ? byHead(cells, columns) : byPlace(cells)
      return { ...named, line: row.join(read.separator) }
    })
  return { ok: true, people }
}

/** The name and the address of 'Marta Lind <marta@larkspur.example>'. */
function addressed(cell: string): string[] {
  const { name, email } = ADDRESSED.exec(cell.trim())?.groups ?? {}
  return email === undefined ? [cell.trim()] : [unquoted(name ?? ''), email.trim()].filter(Boolean)
}

const unquoted = (text: string): string => text.replace(/^["'](.*)["']$/, '$1')

type Named = Pick<ReadPerson, Column>

function byHead(cells: readonly string[], columns: readonly (Column | null)[]): Named {
  const of = (wanted: Column) =>
    cleanName(cells.filter((_, index) => columns[index] === wanted).join(' '))
  return { name: of('name'), email: of('email'), client: of('client') }
}

function byPlace(cells: readonly string[]): Named {
  const at = cells.findIndex((cell) => cell.includes('@'))
  const before = cells.slice(0, Math.max(0, at))
  const after = cells.slice(at + 1)
  if (at < 0) return { name: cleanName(cells.join(' ')), email: '', client: '' }
  const email = cells[at] ?? ''
  const [name, client] = at === 0 ? [after[0] ?? '', after.slice(1)] : [before.join(' '), after]
  return { name: cleanName(name), email, client: cleanName(client.join(' ')) }
}
