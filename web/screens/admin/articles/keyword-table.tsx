import { TextInput, Title, Tooltip } from '@mantine/core'
import { Search } from 'lucide-react'
import { memo, useId, useMemo, useState } from 'react'
import { decidingRules } from '../../../../domain/keywords/category-rule.ts'
import { SEARCH_MAX, TABLE_PAGE_SIZE } from '../../../../domain/limits.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import { type Column, DataTable, type TableSort } from '../../../ui/lists/data-table.tsx'
import { EmptyPlace } from '../../../ui/lists/empty-place.tsx'
import { Pager } from '../../../ui/lists/pager.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { ruleText } from './category-rules.tsx'
import classes from './keyword-table.module.css'
import { type KeywordField, type KeywordLine, keywordLines } from './keyword-table-view.ts'

type KeywordTableProps = { keywordList: readonly Keyword[]; articleName: string }
type Sort = TableSort<KeywordField>

/** Memoized so that it is not rendered again while a file is being read. */
export const KeywordTable = memo(function KeywordTable(props: KeywordTableProps) {
  const { keywordList, articleName } = props
  const headingId = useId()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>({ field: 'category', direction: 'asc' })
  const [page, setPage] = useState(1)
  const columns = useMemo(() => columnsOf(keywordList), [keywordList])
  const lines = useMemo(() => keywordLines(keywordList, search, sort), [keywordList, search, sort])
  const pages = Math.max(1, Math.ceil(lines.length / TABLE_PAGE_SIZE))
  const shown = Math.min(page, pages)
  const first = (shown - 1) * TABLE_PAGE_SIZE

  return (
    <section aria-labelledby={headingId} className={classes.panel}>
      <div className={classes.head}>
        <Title order={3} id={headingId}>
          Keywords <span className={classes.count}>{figure(keywordList.length)}</span>
        </Title>
        <SearchField
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      </div>
      <DataTable
        labelledBy={headingId}
        dense
        columns={columns}
        rows={lines.slice(first, first + TABLE_PAGE_SIZE)}
        rowKey={({ place }) => String(place)}
        pageSize={TABLE_PAGE_SIZE}
        sort={sort}
        onSort={(field) => {
          setSort(nextSort(sort, field))
          setPage(1)
        }}
        instead={lines.length === 0 && <Nothing searched={keywordList.length > 0} />}
      />
      <div className={classes.foot}>
        <span role="status">{shownRange(first, lines.length)}</span>
        <Pager label={`keywords of ${articleName}`} page={shown} pages={pages} onChange={setPage} />
      </div>
    </section>
  )
})

const nextSort = (sort: Sort, field: KeywordField): Sort => ({
  field,
  direction: sort?.field === field && sort.direction === 'asc' ? 'desc' : 'asc',
})

function shownRange(first: number, total: number): string {
  if (total === 0) return '0 of 0'
  return `${first + 1}–${Math.min(first + TABLE_PAGE_SIZE, total)} of ${total}`
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <TextInput
      type="search"
      size="xs"
      w={220}
      aria-label="Search"
      placeholder="Search"
      maxLength={SEARCH_MAX}
      leftSection={<Search size={15} strokeWidth={1.6} aria-hidden="true" />}
      classNames={{ input: classes.search ?? '' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function columnsOf(list: readonly Keyword[]): Column<KeywordLine, KeywordField>[] {
  const ruleOf = decidingRules(list)
  return [
    {
      head: 'Keyword',
      sortField: 'keyword',
      cell: ({ entry }) => <KeywordText text={entry.keyword} />,
    },
    { head: 'Source', sortField: 'source', width: '100px', cell: ({ entry }) => entry.source },
    { head: 'Score', sortField: 'score', width: '90px', cell: ({ entry }) => entry.score },
    {
      head: 'Category',
      sortField: 'category',
      width: '170px',
      cell: ({ entry }) => <Category category={entry.category} rule={ruleText(ruleOf(entry))} />,
    },
  ]
}

function KeywordText({ text }: { text: string }) {
  return (
    <span className={classes.keyword} title={text}>
      {text}
    </span>
  )
}

/** Says on hover, focus or touch which rule gave the category (Q72). */
function Category({ category, rule }: { category: string; rule: string }) {
  return (
    <Tooltip
      label={rule}
      multiline
      maw={300}
      position="top-end"
      events={{ hover: true, focus: true, touch: true }}
    >
      <button type="button" className={classes.category} aria-description={rule}>
        <CategoryDot category={category} />
        {category}
      </button>
    </Tooltip>
  )
}

/** Full, half and hollow for the three priorities; none for a category that the article page ignores. */
export function CategoryDot({ category }: { category: string }) {
  return <span className={classes.dot} data-category={category} aria-hidden="true" />
}

function Nothing({ searched }: { searched: boolean }) {
  return <EmptyPlace line={searched ? 'Nothing matches this search' : 'No entities yet'} />
}
