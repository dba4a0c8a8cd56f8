import { Button } from '@mantine/core'
import {
  CircleAlert,
  CircleCheck,
  CirclePlus,
  Download,
  type LucideIcon,
  PenLine,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { TABLE_PAGE_SIZE } from '../../../../domain/limits.ts'
import type { ArticleListAnswer, ListedOutcome } from '../../../../domain/wire/article-lists.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { paths } from '../../../app/paths.ts'
import { ArticleLink } from '../../../ui/article-link.tsx'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { ListCard } from '../../../ui/lists/list-card.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { csvFileName } from '../../../ui/words/file-name.ts'
import { countsOf, type Entry, entriesOf } from './check-entries.ts'
import { resultText } from './check-words.ts'
import { resultCsv, STATES, stateOf } from './result-csv.ts'
import classes from './result-step.module.css'
import type { Checked } from './use-list-check.ts'

type ResultStepProps = { checked: Checked; result: ArticleListAnswer; onAnother: () => void }

/** What became of each article of the list. */
export function ResultStep({ checked, result, onAnother }: ResultStepProps) {
  const { name, articles } = checked
  const entries = useMemo(() => entriesOf(articles, result.articles), [articles, result])
  const [page, setPage] = useState(1)
  const { done, rest } = resultText(entries, countsOf(entries))
  const first = (page - 1) * TABLE_PAGE_SIZE
  return (
    <>
      <Banner kind="success" icon={CircleCheck}>
        <strong>{done}</strong> {rest}
      </Banner>
      <div className={classes.card}>
        <ListCard
          title={name}
          action={<Actions name={name} entries={entries} onAnother={onAnother} />}
          list={{
            rows: entries.slice(first, first + TABLE_PAGE_SIZE),
            rowKey: ({ read }) => String(read.rows[0]),
            total: entries.length,
            page,
            rowsPage: page,
            isInOrder: true,
            pageSize: TABLE_PAGE_SIZE,
            refreshing: false,
            failed: false,
            onRetry: () => {},
          }}
          columns={COLUMNS}
          sort={null}
          onSort={() => {}}
          onPage={setPage}
          rowWords={['article', 'articles']}
          order=""
          empty=""
        />
      </div>
    </>
  )
}

type ActionsProps = { name: string; entries: readonly Entry[]; onAnother: () => void }

function Actions({ name, entries, onAnother }: ActionsProps) {
  const { saveFile } = useApp()
  const save = () =>
    void notices.attempt('Error saving the result', () =>
      saveFile(
        csvFileName(`${name.replace(/\.[^.]*$/, '')} result`),
        resultCsv(entries, location.origin),
      ),
    )
  return (
    <span className={classes.actions}>
      <Button variant="subtle" onClick={onAnother}>
        Another list
      </Button>
      <Button component={Link} to={paths.adminArticles} variant="default">
        All articles
      </Button>
      <Button
        leftSection={<Download size={16} strokeWidth={1.8} aria-hidden="true" />}
        onClick={save}
      >
        Save result
      </Button>
    </span>
  )
}

const COLUMNS: Column<Entry, never>[] = [
  { head: 'Row', width: '84px', cell: ({ read }) => figure(read.rows[0] ?? 0) },
  { head: 'Article', namesRow: true, cell: (entry) => <Article entry={entry} /> },
  {
    head: 'Client',
    width: '240px',
    cell: ({ read, outcome }) => {
      const name = outcome?.clientName ?? (outcome ? '' : read.client)
      return <span title={name}>{name}</span>
    },
  },
  { head: 'State', width: '150px', cell: (entry) => <State state={stateOf(entry)} /> },
  {
    head: 'Entities',
    width: '130px',
    end: true,
    cell: ({ outcome }) => (outcome && outcome.state !== 'cannot' ? figure(outcome.entities) : ''),
  },
]

function Article({ entry: { read, outcome } }: { entry: Entry }) {
  const id = outcome?.id ?? null
  if (id === null) return <span title={read.name}>{read.name}</span>
  return <ArticleLink id={id} name={read.name} />
}

const ICONS: Record<ListedOutcome['state'], LucideIcon | null> = {
  new: CirclePlus,
  changed: PenLine,
  same: null,
  cannot: CircleAlert,
}

function State({ state }: { state: ListedOutcome['state'] }) {
  const Icon = ICONS[state]
  return (
    <span className={classes.state} data-state={state}>
      {Icon && <Icon size={15} strokeWidth={1.7} aria-hidden="true" />}
      {STATES[state]}
    </span>
  )
}
