import { NativeSelect, Title } from '@mantine/core'
import { useId, useState } from 'react'
import type { ArticleList, ArticleListReading } from '../../../../domain/lists/article-list.ts'
import { LIST_FIELDS } from '../../../../domain/lists/article-list-fields.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { encodingText } from '../csv/csv-messages.ts'
import { EncodingSelect } from '../csv/csv-reading-fields.tsx'
import type { CsvSample } from '../csv/csv-table.ts'
import type { ListImport, ListState } from './list-import.ts'
import classes from './list-step.module.css'
import { countParts, readingText } from './reading-words.ts'

type FirstRowsProps = {
  list: ListImport
  state: ListState
  sample: CsvSample
  /** The order of the dates is to be chosen. */
  daysFault: string | null
}

/** The first rows with the field of each column, what they make, and how they were read. */
export function FirstRows({ list, state, sample, daysFault }: FirstRowsProps) {
  const headingId = useId()
  return (
    <div className={classes.first}>
      <div className={classes.firstHead}>
        <Title order={2} size="h3" id={headingId}>
          First rows
        </Title>
        {state.list && <span>of {figure(state.list.counts.rows)}</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too */}
      <section className={classes.scroll} tabIndex={0} aria-labelledby={headingId}>
        <Rows sample={sample} fieldOf={fieldNames(state.columns)} labelledBy={headingId} />
      </section>
      <div role="status">
        {state.list && (
          <p className={classes.counts}>
            {countParts(state.list).map(({ count, words }) => (
              <span key={words}>
                <strong>{count}</strong> {words}
              </span>
            ))}
          </p>
        )}
      </div>
      {state.list && <ReadAs {...{ list, state, daysFault }} read={state.list} />}
    </div>
  )
}

function fieldNames(columns: ListState['columns']): ReadonlyMap<number, string> {
  const names = LIST_FIELDS.flatMap(({ key, label }): [number, string][] => {
    const column = columns[key]
    return column === undefined ? [] : [[column, label]]
  })
  return new Map(names)
}

type RowsProps = {
  sample: CsvSample
  /** Names of fields by column. */
  fieldOf: ReadonlyMap<number, string>
  labelledBy: string
}

function Rows({ sample: { labels, rows, numbers }, fieldOf, labelledBy }: RowsProps) {
  return (
    <table className={classes.rows} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <td />
          {labels.map((label, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the list
            <th key={column} scope="col" dir="auto" title={label}>
              <span className={classes.label}>{label}</span>
              <span className={classes.field} data-used={fieldOf.has(column)}>
                {fieldOf.get(column) ?? 'Not used'}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          <tr key={numbers[line]}>
            <th scope="row">{figure(numbers[line] ?? 0)}</th>
            {labels.map((_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the list
              <td key={column} dir="auto" title={row[column]}>
                {row[column]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ReadAsProps = Pick<FirstRowsProps, 'list' | 'state' | 'daysFault'> & { read: ArticleList }

function ReadAs({ list, state, daysFault, read }: ReadAsProps) {
  const [isChosen, setOpen] = useState(false)
  const isAsked = read.days?.isSure === false
  const isOpen = isChosen || isAsked
  const { decoding } = state
  const note = decoding && encodingText(decoding)
  return (
    <>
      <p className={classes.reading}>
        {readingText(state, read)}{' '}
        <TextButton isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          Change
        </TextButton>
      </p>
      {note && (
        <p className={classes.reading} role="status">
          {note}
        </p>
      )}
      {isOpen && <Choices {...{ list, state, daysFault, read }} onDays={() => setOpen(true)} />}
    </>
  )
}

const DECIMALS = [
  { value: ',', label: 'Comma' },
  { value: '.', label: 'Point' },
]
const DAY_ORDERS = [
  { value: 'day first', label: 'Day first' },
  { value: 'month first', label: 'Month first' },
]

/** `onDays`: the order was asked for and chosen; the choices stay. */
function Choices({
  list,
  state: { decoding },
  daysFault,
  read: { days, decimal },
  onDays,
}: ReadAsProps & { onDays: () => void }) {
  return (
    <div className={classes.choices}>
      {decoding && <EncodingSelect encoding={decoding.encoding} onEncoding={list.setEncoding} />}
      <NativeSelect
        label="Decimal sign"
        value={decimal}
        onChange={({ currentTarget: { value } }) =>
          list.setReading({ decimal: value as ArticleList['decimal'] })
        }
        data={DECIMALS}
      />
      <NativeSelect
        label="Dates"
        data-days
        required={days?.isSure === false}
        error={daysFault}
        errorProps={{ role: 'alert' }}
        value={days?.isSure === false ? '' : (days?.order ?? 'day first')}
        onChange={({ currentTarget: { value } }) => {
          onDays()
          list.setReading({ dayOrder: value as ArticleListReading['dayOrder'] })
        }}
        data={
          days?.isSure === false
            ? [{ value: '', label: 'Choose the order' }, ...DAY_ORDERS]
            : DAY_ORDERS
        }
      />
    </div>
  )
}
