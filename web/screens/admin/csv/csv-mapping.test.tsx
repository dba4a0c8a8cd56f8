import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CsvField, CsvMapping } from '../../../../domain/keywords/keyword-import.ts'
import { CsvMappingTable } from './csv-mapping.tsx'

const FIELDS: CsvField[] = [
  { key: 'keyword', label: 'Keyword', required: true },
  { key: 'score', label: 'Score', required: false },
]

const optionsOf = (field: string, mapping: CsvMapping) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <CsvMappingTable
        labels={['Phrase', 'Column 2']}
        mapping={mapping}
        onColumn={() => {}}
        fields={FIELDS}
      />
    </MantineProvider>,
  )
  const select = html.slice(html.indexOf(`aria-label="CSV column for ${field}"`))
  return select.slice(0, select.indexOf('</select>')).match(/<option.*?<\/option>/g)
}

test('a required field has the columns and nothing blank to choose', {
  tags: ['@CSV-10', '@CSV-11'],
}, () => {
  expect(optionsOf('Keyword', { keyword: 1 })).toEqual([
    '<option value="" disabled="" hidden="">Choose a column</option>',
    '<option value="0">Phrase</option>',
    '<option value="1" selected="">Column 2</option>',
  ])
})

test('a field that is not required may be blank', { tags: ['@CSV-11'] }, () => {
  expect(optionsOf('Score', {})).toEqual([
    '<option value="" selected=""></option>',
    '<option value="0">Phrase</option>',
    '<option value="1">Column 2</option>',
  ])
})
