import { Button, Title } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Client } from '../../../../domain/wire/clients.ts'
import type { Home } from '../../../../domain/wire/home.ts'
import { paths } from '../../../app/paths.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.ts'
import { Moon } from '../../../ui/moon/moon.tsx'
import { MoonPhases } from '../../../ui/moon/moon-phases.tsx'
import { ArticleDialogs, useArticleForms } from '../articles/article-dialogs.tsx'
import { CreateClient } from '../clients/create-client.tsx'
import { EditClientDialog } from '../clients/edit-client-dialog.tsx'
import { useArticles, useClients } from '../use-remote.ts'
import { CreateUserDialog } from '../users/create-user-dialog.tsx'
import home from './admin-home.module.css'
import classes from './first-steps.module.css'
import { useWelcome } from './use-welcome.ts'

type Steps = NonNullable<Home['firstSteps']>
type Step = {
  title: string
  /** What became of it; null while it is to be done. */
  done: string | null
  hint: string
  action: { label: string; isNew: boolean; run: () => void }
}

/** The way from an empty agency to the first article that can be written. The next step has the one button. */
export function FirstSteps({ steps, below }: { steps: Steps; below: ReactNode }) {
  const welcome = useWelcome()
  const creatingClient = useDialog<'new client'>()
  const creatingUser = useDialog<'new user'>()
  const editingClient = useDialog<Client>()
  const articleForms = useArticleForms()
  const { client, article } = useFirst(steps)
  const list: Step[] = [
    {
      title: 'Add a client',
      done: steps.client && `${steps.client.name} was added.`,
      hint: 'The company the articles are for.',
      action: { label: 'New Client', isNew: true, run: () => creatingClient.open('new client') },
    },
    {
      title: 'Add a writer',
      done: steps.writer && `${steps.writer.name} writes for ${steps.writer.clientName}.`,
      hint: steps.user
        ? `${steps.user.name} has an account but no client yet.`
        : 'Create an account, then choose the client they write for.',
      action:
        steps.user && steps.client
          ? {
              label: `Edit ${steps.client.name}`,
              isNew: false,
              run: () => void whenRead(client, editingClient.open),
            }
          : { label: 'New User', isNew: true, run: () => creatingUser.open('new user') },
    },
    {
      title: 'Create an article',
      done: steps.article && `‘${steps.article.name}’ was created.`,
      hint: 'A name, a minimum word count and the client.',
      action: {
        label: 'New Article',
        isNew: true,
        run: () => articleForms.creating.open('new article'),
      },
    },
    {
      title: 'Add its entities',
      done: null,
      hint: 'Upload a CSV list with the columns Keyword, Source and Score.',
      action: {
        label: 'Add entities',
        isNew: false,
        run: () =>
          void whenRead(article, (read) =>
            articleForms.editing.open({ article: read, tab: 'entities' }),
          ),
      },
    },
  ]
  const next = list.findIndex(({ done }) => done === null)
  const { button, said } = useProgress(next, list.length)
  return (
    <div className={classes.page}>
      <MoonPhases size={16} gap={12} />
      <Title order={1} className={classes.title}>
        {welcome}
      </Title>
      <p className={classes.lead}>Four steps, and the first article is on a writer’s desk.</p>
      <ol className={classes.steps}>
        {list.map(({ title, done, hint, action }, index) => (
          <li
            key={title}
            className={classes.step}
            data-later={index > next && done === null}
            {...(index === next && { 'aria-current': 'step' })}
          >
            <Moon
              size={22}
              k={done !== null ? 1 : index === next ? 0.5 : 0}
              tone={done !== null ? 'full' : 'warn'}
              checked={done !== null}
            />
            <span className={classes.words}>
              <span className={classes.name}>{title}</span>
              <span>{done ?? hint}</span>
            </span>
            {index === next && (
              <Button
                ref={button}
                {...(action.isNew && {
                  leftSection: <Plus size={16} strokeWidth={1.8} aria-hidden="true" />,
                })}
                onClick={action.run}
              >
                {action.label}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {said}
      </p>
      <p className={home.support}>
        Coming from a spreadsheet?{' '}
        <Link to={paths.adminBatch}>Create several articles at once</Link>
      </p>
      {below}
      <FormDialog dialog={creatingClient} title={() => 'Create new client'}>
        {() => <CreateClient onClose={creatingClient.close} />}
      </FormDialog>
      <CreateUserDialog dialog={creatingUser} />
      <EditClientDialog dialog={editingClient} latestOf={() => client.data} />
      <ArticleDialogs {...articleForms} />
    </div>
  )
}

/** The first client and article as their forms need them. */
function useFirst(steps: Steps) {
  const clients = useClients()
  const articles = useArticles()
  const client = useQuery({
    queryKey: ['clients', 'first', steps.client?.id],
    enabled: steps.client !== null,
    queryFn: () =>
      clients.list({ name: '', sort: { field: 'id', direction: 'asc' }, page: 1, limit: 1 }),
    select: ({ results }) => results[0],
    meta: { failure: 'Error retrieving clients' },
  })
  const article = useQuery({
    queryKey: ['articles', 'first', steps.article?.id],
    enabled: steps.article !== null,
    queryFn: () => articles.read(steps.article?.id ?? ''),
    meta: { failure: 'Error retrieving articles' },
  })
  return { client, article }
}

/** Waits for what is still on its way. A failure is announced by the query. */
async function whenRead<T>(
  { data, refetch }: UseQueryResult<T | undefined>,
  open: (read: T) => void,
) {
  const read = data ?? (await refetch()).data
  if (read) open(read)
}

/** After a step the focus goes to the button of the next one, and it is said how far one is. */
function useProgress(next: number, all: number) {
  const button = useRef<HTMLButtonElement>(null)
  const [first] = useState(next)
  const before = useRef(next)
  useEffect(() => {
    if (before.current !== next) button.current?.focus()
    before.current = next
  }, [next])
  return { button, said: next > first ? `Step ${next} of ${all} done.` : '' }
}
