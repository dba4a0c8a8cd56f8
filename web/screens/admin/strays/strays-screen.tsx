import { Check, Eye, Undo2 } from 'lucide-react'
import type { Stray, StrayReason } from '../../../../domain/wire-strays.ts'
import { once } from '../../../app/once.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { figure } from '../../../ui/figure.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { RowAction } from '../../../ui/row-action.tsx'
import { type Dialog, useDialog } from '../../../ui/use-dialog.ts'
import { ListPage } from '../list-page.tsx'
import { useList } from '../use-list.ts'
import { useListAddress } from '../use-list-address.ts'
import { useStrays } from '../use-remote.ts'
import classes from './strays-screen.module.css'
import { useMark } from './use-mark.ts'

const fetchText = once(async () => (await import('./stray-text.tsx')).StrayText)

/** /admin/texts: text that its article did not take, so that none of it exists on one device only. */
export function StraysScreen() {
  const strays = useStrays()
  const place = useListAddress<never>([])
  const list = useList({
    key: ['strays'],
    address: place,
    failure: 'Error retrieving texts',
    load: ({ page, limit }, abandoned) => strays.list({ page, limit }, abandoned),
  })
  const reading = useDialog<Stray>()
  const Text = useOnDemand(fetchText, reading.opened)
  return (
    <ListPage
      title="Recovered texts"
      cardTitle="Texts"
      lead="These texts arrived after their article was completed, deleted or reassigned. Nothing here is deleted."
      place={place}
      list={list}
      columns={columns(reading)}
      rowKey={(stray) => stray.id}
      rowWords={['text', 'texts']}
      unsorted="newest first"
      empty="Nothing to review"
    >
      <FormDialog dialog={reading} title={({ article }) => article.name}>
        {(stray) => Text && <Text stray={stray} onClose={reading.close} />}
      </FormDialog>
    </ListPage>
  )
}

const WHY: Record<StrayReason, string> = {
  completed: 'Article was complete',
  deleted: 'Article was deleted',
  revoked: 'No longer had access',
  'too-large': 'Too large',
  rejected: 'Not accepted',
}

function columns(reading: Dialog<Stray>): Column<Stray, never>[] {
  return [
    {
      head: 'Article',
      cell: ({ article, doneAt }) => (
        <span className={classes.name} dir="auto" data-done={doneAt !== null}>
          {article.name}
        </span>
      ),
    },
    { head: 'Writer', width: '16%', cell: ({ author }) => author.name },
    { head: 'Sent', width: '176px', cell: ({ createdAt }) => <SentAt at={createdAt} /> },
    { head: 'Why', width: '170px', cell: ({ reason }) => WHY[reason] },
    { head: 'Words', width: '84px', cell: ({ words }) => figure(words) },
    {
      head: 'Read',
      width: '76px',
      action: true,
      cell: (stray) => (
        <RowAction
          icon={Eye}
          label={`Read the text for ${stray.article.name}`}
          onClick={() => reading.open(stray)}
        />
      ),
    },
    { head: 'Done', width: '76px', action: true, cell: (stray) => <MarkButton stray={stray} /> },
  ]
}

function SentAt({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at}>
      {date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}

function MarkButton({ stray }: { stray: Stray }) {
  const { busy, make } = useMark(stray)
  const isDone = stray.doneAt !== null
  return (
    <RowAction
      icon={isDone ? Undo2 : Check}
      label={
        isDone
          ? `Mark the text for ${stray.article.name} as not done`
          : `Mark the text for ${stray.article.name} as done`
      }
      loading={busy}
      onClick={() => make(!isDone)}
    />
  )
}
