import { Check, Eye, Undo2 } from 'lucide-react'
import { Navigate, useLocation } from 'react-router-dom'
import { moment } from '../../../../domain/calendar/moments.ts'
import type { UndeliveredReason, UndeliveredText } from '../../../../domain/wire/undelivered.ts'
import { useNow } from '../../../app/app-context.tsx'
import { once } from '../../../app/once.ts'
import { paths } from '../../../app/paths.ts'
import { useDates } from '../../../app/use-dates.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Dialog, useDialog } from '../../../ui/dialogs/use-dialog.ts'
import type { Column } from '../../../ui/lists/data-table.tsx'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { ListPage } from '../list/list-page.tsx'
import { useList } from '../list/use-list.ts'
import { useListAddress } from '../list/use-list-address.ts'
import { useUndeliveredTexts } from '../use-remote.ts'
import classes from './undelivered-texts-screen.module.css'
import { useMark } from './use-mark.ts'

const fetchText = once(async () => (await import('./undelivered-text.tsx')).UndeliveredTextView)

/** /admin/undelivered-texts: text that its article did not take, so that none of it exists on one device only. */
export function UndeliveredTextsScreen() {
  const { pathname, search } = useLocation()
  return pathname === paths.adminTexts ? (
    <Navigate replace to={paths.adminUndeliveredTexts + search} />
  ) : (
    <UndeliveredTextList />
  )
}

function UndeliveredTextList() {
  const undeliveredTexts = useUndeliveredTexts()
  const place = useListAddress<never>([])
  const list = useList({
    key: ['undelivered-texts'],
    address: place,
    failure: 'Error retrieving texts',
    load: ({ page, limit }, abandoned) => undeliveredTexts.list({ page, limit }, abandoned),
    rowKey: (undelivered) => undelivered.id,
  })
  const reading = useDialog<UndeliveredText>()
  const Text = useOnDemand(fetchText, reading.opened)
  return (
    <ListPage
      title="Recovered texts"
      cardTitle="Texts"
      lead="These texts arrived after their article was completed, deleted or reassigned. Nothing here is deleted."
      place={place}
      list={list}
      columns={columns(reading)}
      rowWords={['text', 'texts']}
      unsorted="newest first"
      empty="Nothing to review"
    >
      <FormDialog dialog={reading} title={({ article }) => article.name}>
        {(undelivered) => Text && <Text undelivered={undelivered} onClose={reading.close} />}
      </FormDialog>
    </ListPage>
  )
}

const WHY: Record<UndeliveredReason, string> = {
  completed: 'Article was complete',
  deleted: 'Article was deleted',
  revoked: 'No longer had access',
  'too-large': 'Too large',
  rejected: 'Not accepted',
}

function columns(reading: Dialog<UndeliveredText>): Column<UndeliveredText, never>[] {
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
    { head: 'Sent', width: '180px', cell: ({ createdAt }) => <SentAt at={createdAt} /> },
    { head: 'Why', width: '170px', cell: ({ reason }) => WHY[reason] },
    { head: 'Words', width: '84px', cell: ({ words }) => figure(words) },
    {
      head: 'Read',
      width: '76px',
      action: true,
      cell: (undelivered) => (
        <RowAction
          icon={Eye}
          label={`Read the text for ${undelivered.article.name}`}
          onClick={() => reading.open(undelivered)}
        />
      ),
    },
    {
      head: 'Done',
      width: '76px',
      action: true,
      cell: (undelivered) => <MarkButton undelivered={undelivered} />,
    },
  ]
}

const A_MINUTE_MS = 60_000

function SentAt({ at }: { at: string }) {
  const dates = useDates()
  const now = useNow(A_MINUTE_MS)
  return (
    <time dateTime={at} title={dates.inFull(at)}>
      {moment(at, now, dates)}
    </time>
  )
}

function MarkButton({ undelivered }: { undelivered: UndeliveredText }) {
  const { busy, make } = useMark(undelivered)
  const isDone = undelivered.doneAt !== null
  return (
    <RowAction
      icon={isDone ? Undo2 : Check}
      label={
        isDone
          ? `Mark the text for ${undelivered.article.name} as not done`
          : `Mark the text for ${undelivered.article.name} as done`
      }
      loading={busy}
      onClick={() => make(!isDone)}
    />
  )
}
