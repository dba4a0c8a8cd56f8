import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react'
import { Fragment, type ReactNode, type RefObject } from 'react'
import { useFocusFallback } from '../focus-fallback.ts'
import classes from './data-table.module.css'

export type Column<Row, Field extends string = string> = {
  head: string
  /** Shown as the head in place of the word, which then only names the column. */
  headCell?: ReactNode
  /** Names its row; the first column does where none is marked. */
  namesRow?: boolean
  /** A CSS length; a column without one shares what is left. */
  width?: string
  /** The field to sort by; without one the head is only a word. */
  sortField?: Field
  /** Centred: holds one button for the row. */
  action?: boolean
  /** Figures, one below the other: at the right end. */
  end?: boolean
  cell: (row: Row) => ReactNode
}

export type TableSort<Field extends string = string> = {
  field: Field
  direction: 'asc' | 'desc'
} | null

/** Of the element around the rows. */
export type RowHandlers = { onPointerMove: () => void; onPointerLeave: () => void }

type DataTableProps<Row, Field extends string> = {
  /** Id of the heading that names the table. */
  labelledBy: string
  columns: readonly Column<Row, Field>[]
  /** Undefined until they came for the first time: then as many placeholders as a page has rows. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  rowHandlers?: RowHandlers | undefined
  /** Rows of one group follow each other, below a row with its name. */
  groupOf?: (row: Row) => string
  /** What the row of a group says; its name where this is missing. */
  groupHead?: (group: string) => ReactNode
  /** Shown in a row of its own below this one; null where nothing is unfolded. */
  detailsOf?: (row: Row) => { id: string; content: ReactNode } | null
  /** Was made just now, and is marked. */
  isNew?: (row: Row) => boolean
  /** Is ticked, and is marked. */
  isPicked?: ((row: Row) => boolean) | undefined
  pageSize: number
  sort: TableSort<Field>
  onSort: (field: Field) => void
  /** Newer rows are loading; the old ones stay until then. */
  refreshing?: boolean
  /** Shown in the body in place of rows. */
  instead?: ReactNode
  /** Takes the focus of a row that goes away. */
  focusFallback?: RefObject<HTMLElement | null>
  dense?: boolean
  /** Rows have a second line. */
  tall?: boolean
  /** Nothing is above the heads: their upper line is the edge of the card. */
  isTopmost?: boolean
  /** A last row, with a cell for each column. */
  total?: ReactNode
}

export function DataTable<Row, Field extends string>(props: DataTableProps<Row, Field>) {
  const { columns, rows, rowKey, refreshing = false } = props
  return (
    <div
      className={classes.frame}
      data-refreshing={refreshing}
      data-dense={props.dense ?? false}
      data-tall={props.tall ?? false}
      data-topmost={props.isTopmost ?? false}
    >
      <table
        className={classes.table}
        aria-labelledby={props.labelledBy}
        aria-busy={refreshing || !rows}
      >
        <colgroup>
          {columns.map(({ head, width }) => (
            <col key={head} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.head}
                column={column as Column<unknown, Field>}
                sort={props.sort}
                onSort={props.onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody {...props.rowHandlers}>
          {props.instead && (
            <tr className={classes.instead}>
              <td colSpan={columns.length}>{props.instead}</td>
            </tr>
          )}
          {!props.instead &&
            rows?.map((row, index) => (
              <Fragment key={rowKey(row)}>
                {groupRow(rows, index, props)}
                <BodyRow
                  row={row}
                  isNew={props.isNew?.(row) ?? false}
                  isPicked={props.isPicked?.(row) ?? false}
                  columns={columns}
                  focusFallback={props.focusFallback}
                />
                <Details details={props.detailsOf?.(row) ?? null} span={columns.length} />
              </Fragment>
            ))}
          {!props.instead && !rows && <Placeholders columns={columns} count={props.pageSize} />}
        </tbody>
        {props.total && <tfoot>{props.total}</tfoot>}
      </table>
    </div>
  )
}

/** The name of the group that begins with this row. */
function groupRow<Row, Field extends string>(
  rows: readonly Row[],
  index: number,
  { groupOf, groupHead, columns }: DataTableProps<Row, Field>,
) {
  const [row, previous] = [rows[index], rows[index - 1]]
  const group = row && groupOf?.(row)
  if (group === undefined || (previous && groupOf?.(previous) === group)) return null
  return (
    <tr className={classes.group}>
      <th scope="rowgroup" colSpan={columns.length}>
        {groupHead?.(group) ?? group}
      </th>
    </tr>
  )
}

type DetailsProps = { details: { id: string; content: ReactNode } | null; span: number }

const Details = ({ details, span }: DetailsProps) =>
  details && (
    <tr className={classes.details} id={details.id}>
      <td colSpan={span}>{details.content}</td>
    </tr>
  )

type HeadProps<Field extends string> = {
  column: Column<unknown, Field>
  sort: TableSort<Field>
  onSort: (field: Field) => void
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const
const SORT_ICONS = { asc: ChevronUp, desc: ChevronDown, none: ChevronsUpDown }

function Head<Field extends string>({ column, sort, onSort }: HeadProps<Field>) {
  const { head, headCell = head, sortField, action = false, end = false } = column
  if (sortField === undefined) {
    return (
      <th scope="col" data-action={action} data-end={end}>
        {headCell}
      </th>
    )
  }
  const state = sort?.field === sortField ? sort.direction : 'none'
  const Icon = SORT_ICONS[state]
  return (
    <th scope="col" aria-sort={ARIA_SORT[state]}>
      <button
        type="button"
        className={classes.sort}
        data-state={state}
        onClick={() => onSort(sortField)}
      >
        {head}
        <Icon size={14} strokeWidth={state === 'none' ? 1.7 : 2.2} aria-hidden="true" />
      </button>
    </th>
  )
}

type BodyRowProps<Row> = {
  row: Row
  isNew: boolean
  isPicked: boolean
  columns: readonly Column<Row, string>[]
  focusFallback: RefObject<HTMLElement | null> | undefined
}

function BodyRow<Row>({ row, isNew, isPicked, columns, focusFallback }: BodyRowProps<Row>) {
  const naming = Math.max(
    0,
    columns.findIndex(({ namesRow }) => namesRow),
  )
  return (
    <tr ref={useFocusFallback(focusFallback)} data-new={isNew} data-picked={isPicked}>
      {columns.map(({ head, action = false, end = false, cell }, index) =>
        index === naming ? (
          <th key={head} scope="row" dir="auto">
            {cell(row)}
          </th>
        ) : (
          <td key={head} dir="auto" data-action={action} data-end={end}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}

/** Percent of their column, so that the placeholders look like names of different lengths. */
const LENGTHS = [65, 56, 74, 61, 50, 69, 58, 63, 54, 72]

function Placeholders<Row>({
  columns,
  count,
}: {
  columns: readonly Column<Row, string>[]
  count: number
}) {
  return Array.from({ length: count }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <tr key={line} className={classes.placeholder}>
      {columns.map(({ head, action = false }) => (
        <td key={head} data-action={action}>
          <span style={action ? undefined : { width: `${LENGTHS[line % LENGTHS.length]}%` }} />
        </td>
      ))}
    </tr>
  ))
}
