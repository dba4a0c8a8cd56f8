import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import type { Article } from '../../../../domain/wire-articles.ts'
import { articlePath } from '../../../paths.ts'
import { ClientFilter } from '../../../ui/client-filter.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Moon } from '../../../ui/moon.tsx'
import { RowAction } from '../../../ui/row-action.tsx'
import { type Dialog, useDialog } from '../../../ui/use-dialog.ts'
import { ListPage } from '../list-page.tsx'
import { useList } from '../use-list.ts'
import { type ListPlace, useListAddress } from '../use-list-address.ts'
import { useArticles, useClients } from '../use-remote.ts'
import classes from './articles-screen.module.css'
import { byName } from './by-name.ts'
import { CopyEntitiesButton } from './copy-entities.tsx'
import { CreateArticle } from './create-article.tsx'
import { DeleteArticle } from './delete-article.tsx'
import { EditArticle } from './edit-article.tsx'
import { HtmlFileButton } from './html-file.tsx'

const SORT_FIELDS = ['name', 'completed', 'client'] as const
type SortField = (typeof SORT_FIELDS)[number]

export function ArticlesScreen() {
  const articles = useArticles()
  const place = useListAddress(SORT_FIELDS)
  const list = useList({
    key: ['articles'],
    address: place,
    failure: 'Error retrieving articles',
    load: (request, abandoned) =>
      articles.list({ ...request, clientIds: place.clientIds }, abandoned),
  })
  const creating = useDialog<'new article'>()
  const editing = useDialog<Article>()
  const deleting = useDialog<Article>()
  return (
    <ListPage
      title="Articles"
      cardTitle="Contūn Articles"
      searchPlaceholder="Article name"
      filter={<FilterByClient place={place} />}
      create={{ label: 'New Article', onClick: () => creating.open('new article') }}
      place={place}
      list={list}
      columns={columns(editing, deleting)}
      rowKey={(article) => article.id}
      empty="No articles yet"
    >
      <FormDialog dialog={creating} title={() => 'Create new article'}>
        {() => <CreateArticle onClose={creating.close} />}
      </FormDialog>
      <FormDialog dialog={editing} size={1200} title={(article) => `Edit ${article.name}`}>
        {(article) => <EditArticle article={article} onClose={editing.close} />}
      </FormDialog>
      <FormDialog
        dialog={deleting}
        title={(article) => `Are you sure you want to delete ${article.name}?`}
      >
        {(article) => <DeleteArticle article={article} onClose={deleting.close} />}
      </FormDialog>
    </ListPage>
  )
}

/** All of them on one page (spec section 9). */
const FILTER_CLIENTS = 999

function FilterByClient({ place }: { place: ListPlace<SortField> }) {
  const clients = useClients()
  const { data, isError } = useQuery({
    queryKey: ['clients', 'filter'],
    queryFn: () =>
      clients.list({
        name: '',
        sort: { field: 'id', direction: 'asc' },
        page: 1,
        limit: FILTER_CLIENTS,
      }),
    select: ({ results }) => results.toSorted((a, b) => byName.compare(a.name, b.name)),
    meta: { failure: 'Error retrieving clients' },
  })
  return (
    <ClientFilter
      clients={data}
      failed={isError && data === undefined}
      chosen={place.clientIds}
      onChoose={place.onClients}
    />
  )
}

function columns(
  editing: Dialog<Article>,
  deleting: Dialog<Article>,
): Column<Article, SortField>[] {
  return [
    { head: 'Article', sortField: 'name', cell: (article) => <Name article={article} /> },
    {
      head: 'Complete',
      sortField: 'completed',
      width: '112px',
      cell: ({ completed }) => <Complete completed={completed} />,
    },
    {
      head: 'Client',
      sortField: 'client',
      width: '20.8%',
      cell: ({ clientId }) => (clientId && !clientId.deleted ? clientId.name : ''),
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
          onClick={() => editing.open(article)}
        />
      ),
    },
  ]
}

function Name({ article: { id, name } }: { article: Article }) {
  return (
    <a className={classes.name} href={articlePath(id)} target="_blank" rel="noopener" title={name}>
      {name}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

function Complete({ completed }: { completed: boolean }) {
  return (
    <span className={classes.complete}>
      <Moon size={15} k={completed ? 1 : 0} tone="full" checked={completed} />
      {completed ? 'Yes' : 'No'}
    </span>
  )
}
