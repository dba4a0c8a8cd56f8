import { Title } from '@mantine/core'
import { useId } from 'react'
import type { CsvSample } from '../csv/csv-table.ts'
import classes from './csv-preview.module.css'

/** The first rows of a file as they are in it, to see which column is which (CSV-17). */
export function CsvPreview({ sample: { labels, rows } }: { sample: CsvSample }) {
  const headingId = useId()
  return (
    <div className={classes.panel}>
      <Title order={3} id={headingId} className={classes.title}>
        First rows of the file
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too */}
      <section className={classes.scroll} tabIndex={0} aria-labelledby={headingId}>
        <table className={classes.table} aria-labelledby={headingId}>
          <thead>
            <tr>
              {labels.map((label, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                <th key={column} scope="col" dir="auto" title={label}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the file
              <tr key={line}>
                {labels.map((_, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                  <td key={column} dir="auto" title={row[column]}>
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
