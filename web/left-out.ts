import { notices } from './app/notices.ts'

/** How many of each were in a paste or a drop and are not in the text. */
export type LeftOut = {
  pictures?: number
  comments?: number
  deletions?: number
  files?: number
  /** Links whose address was refused; their words are in the text. */
  addresses?: number
  /** Tables whose rows became lines; their words are in the text. */
  tables?: number
}

const NAMES: Record<keyof Omit<LeftOut, 'tables'>, [one: string, many: string]> = {
  pictures: ['picture', 'pictures'],
  comments: ['comment', 'comments'],
  deletions: ['tracked deletion', 'tracked deletions'],
  files: ['file', 'files'],
  addresses: ['address', 'addresses'],
}

/** One snackbar for all that one paste or drop left out; none when that is nothing. */
export function sayLeftOut(leftOut: LeftOut): void {
  const title = [...missing(leftOut), ...becameLines(leftOut)].join(', ')
  if (title !== '') notices.info(title, reasons(leftOut).join(' '))
}

function missing(leftOut: LeftOut): string[] {
  const parts = (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((kind) => {
    const count = leftOut[kind] ?? 0
    const [one, many] = NAMES[kind]
    return count === 0 ? [] : [{ count, words: `${count} ${count === 1 ? one : many}` }]
  })
  if (parts.length === 0) return []
  const list = parts.map(({ words }) => words)
  const last = list.pop()
  const all = [list.join(', '), last].filter(Boolean).join(' and ')
  const isOne = parts.length === 1 && parts[0]?.count === 1
  return [`${all} ${isOne ? 'was' : 'were'} left out`]
}

const becameLines = ({ tables = 0 }: LeftOut): string[] =>
  tables === 0 ? [] : [`${tables} ${tables === 1 ? 'table' : 'tables'} became lines`]

function reasons({ addresses = 0, deletions = 0, tables = 0, ...rest }: LeftOut): string[] {
  const isOfText = deletions === 0 && Object.values(rest).some((count) => count > 0)
  return [
    ...(deletions > 0 ? ['Changes came as if all were accepted.'] : []),
    ...(isOfText ? ['Articles are text only.'] : []),
    ...(addresses > 0
      ? ['Only https:, http: and mailto: can be links. Their words are in the text.']
      : []),
    ...(tables > 0 ? ['Each row is one line, with · between its cells.'] : []),
  ]
}
