import { Button } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import type { Article } from '../../../../domain/wire/articles.ts'
import { useApp } from '../../../app/app-context.tsx'
import { once } from '../../../app/once.ts'
import { paths } from '../../../app/paths.ts'
import { ArticleLink } from '../../../ui/article-link.tsx'
import { RowAction } from '../../../ui/buttons/row-action.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Dialog, useDialog } from '../../../ui/dialogs/use-dialog.ts'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { Moon } from '../../../ui/moon/moon.tsx'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { progressOf } from '../../../ui/words/figure.ts'
import { FilterByClient } from '../list/filter-by-client.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useList } from '../list/use-list.ts'
import { useListAddress } from '../list/use-list-address.ts'
import { useAllClients } from '../use-all-clients.ts'
import { useArticles } from '../use-remote.ts'
import { ArticleDialogs, type ArticleEditing, useArticleForms } from './article-dialogs.tsx'
import classes from './articles-screen.module.css'
import { CopyEntitiesButton } from './copy-entities.tsx'
import { DeleteArticle } from './delete-article.tsx'
import { HtmlFileButton } from './html-file.tsx'
import { ShowOnly } from './show-only.tsx'
import { useMadeRows } from './use-made-rows.ts'

/** By the last change: for links from elsewhere, no head of the table leads there. */
const SORT_FIELDS = ['name', 'completed', 'client', 'updatedAt'] as const
type SortField = (typeof SORT_FIELDS)[number]

const ORDERS = {
  name: ['by name', 'by name, from Z'],
  completed: ['not complete first', 'complete first'],
  client: ['by client', 'by client, from Z'],
  updatedAt: ['first changed first', 'last changed first'],
} as const

/** The focus has returned to the row by then, and moves on when the row is removed. */
const FOCUS_BACK_MS = 100

export function ArticlesScreen() {
  const { clock } = useApp()
  const articles = useArticles()
  const place = useListAddress(SORT_FIELDS)
  const list = useList({
    key: ['articles'],
    address: place,
    failure: 'Error retrieving articles',
    load: (request, abandoned) =>
      articles.list({ ...request, clientIds: place.clientIds, lacks: place.lacks }, abandoned),
    rowKey: (article) => article.id,
  })
  const forms = useArticleForms()
  const deleting = useDialog<Article>()
  const made = useMadeRows(place)
  return (
    <ListPage
      title="Articles"
      cardTitle="Contūn Articles"
      searchPlaceholder="Article name"
      filter={
        <>
          <FilterByClient {...place} width={440} />
          <ShowOnly {...place} />
        </>
      }
      action={
        <>
          <SaveAll clientIds={place.clientIds} />
          <Button component={Link} to={paths.adminBatch} variant="default">
            Several at once
          </Button>
        </>
      }
      create={{ label: 'New Article', onClick: () => forms.creating.open('new article') }}
      place={place}
      list={list}
      made={made.rows}
      columns={columns(made.has, forms.editing, deleting)}
      rowWords={['article', 'articles']}
      orders={ORDERS}
      empty="No articles yet"
    >
      <ArticleDialogs {...forms} onCreated={made.add} onModified={made.replace} />
      <FormDialog
        dialog={deleting}
        title={(article) => `Are you sure you want to delete ${article.name}?`}
      >
        {(article) => (
          <DeleteArticle
            article={article}
            onDeleted={(id) => void clock.after(FOCUS_BACK_MS, () => made.remove(id))}
            onClose={deleting.close}
          />
        )}
      </FormDialog>
    </ListPage>
  )
}

const fetchSaveClients = once(
  async () => (await import('../save-all/save-clients.tsx')).SaveClients,
)

function SaveAll({ clientIds }: { clientIds: readonly string[] }) {
  const { clients } = useAllClients()
  const props = { clientIds, clients }
  return (
    clientIds.length > 0 && <OnDemand fetch={fetchSaveClients} wanted="quietly" props={props} />
  )
}

function columns(
  isMade: (article: Article) => boolean,
  editing: Dialog<ArticleEditing>,
  deleting: Dialog<Article>,
): Column<Article, SortField>[] {
  return [
    {
      head: 'Article',
      sortField: 'name',
      cell: (article) => <Name article={article} isMade={isMade(article)} />,
    },
    {
      head: 'Complete',
      sortField: 'completed',
      width: '112px',
      cell: (article) => <Complete article={article} />,
    },
    {
      head: 'Client',
      sortField: 'client',
      width: '20.8%',
      cell: ({ clientId }) =>
        clientId && !clientId.deleted ? <span title={clientId.name}>{clientId.name}</span> : '',
    },
    {
      head: 'Entities',
      width: '76px',
      action: true,
      cell: (article) => <CopyEntitiesButton article={article} />,
    },
    {
      head: 'HTML',
      width: '76px',
      action: true,
      cell: (article) => <HtmlFileButton article={article} />,
    },
    {
      head: 'Delete',
      width: '76px',
      action: true,
      cell: (article) => (
        <RowAction
          icon={Trash2}
          label={`Delete ${article.name}`}
          danger
          onClick={() => deleting.open(article)}
        />
      ),
    },
    {
      head: 'Edit',
      width: '76px',
      action: true,
      cell: (article) => (
        <RowAction
          icon={Pencil}
          label={`Edit ${article.name}`}
          onClick={() => editing.open({ article })}
        />
      ),
    },
  ]
}

function Name({ article: { id, name }, isMade }: { article: Article; isMade: boolean }) {
  return (
    <span className={classes.line}>
      <ArticleLink id={id} name={name} />
      {isMade && <span className={classes.made}>Just created</span>}
    </span>
  )
}

function Complete({ article: { completed, words = 0, wordMinimum } }: { article: Article }) {
  const written = progressOf(words, wordMinimum)
  const isShort = minimumVerdict(words, wordMinimum) === 'warning'
  return (
    <span className={classes.complete} title={written}>
      <span className={classes.moon} role="img" aria-label={written}>
        {(completed || words > 0) && (
          <Moon
            size={15}
            k={completed ? 1 : moonPhase(words, wordMinimum)}
            tone={isShort && !completed ? 'warn' : 'full'}
            checked={completed}
          />
        )}
      </span>
      {completed ? 'Yes' : 'No'}
    </span>
  )
}
