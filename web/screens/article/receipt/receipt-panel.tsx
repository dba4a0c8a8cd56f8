import { Button, UnstyledButton } from '@mantine/core'
import { ArrowDownToLine, Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { canReopenArticle, isAdmin } from '../../../../domain/access/permissions.ts'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { WritingRecord } from '../../../../domain/writing/writing-record.ts'
import { type ArticleRecord, notesAbout } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useApp, useNow, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { wordsOf } from '../../../ui/words/figure.ts'
import { receiptFileName } from '../../../ui/words/file-name.ts'
import { useTypedNote } from '../agency-notices/typed-note.ts'
import { PanelFoot, SidePanel } from '../panel/side-panel.tsx'
import { useAddedRecord } from '../written/added-record.ts'
import { HandInDetails } from './hand-in-details.tsx'
import type { ShownHandIn } from './hand-in-sheet.tsx'
import { handInSentence, nameOf } from './hand-in-words.ts'
import { moveToEntry } from './move-to-entry.ts'
import { fetchFaces } from './receipt-faces.ts'
import { type FileParts, receiptFile } from './receipt-file.ts'
import classes from './receipt-panel.module.css'
import { fetchSelfCheck } from './self-check/fetch-self-check.ts'
import type { Record } from './use-record.ts'

type ReceiptPanelProps = {
  view: ArticleView
  record: Record
  isOffline: boolean
  /** From where the focus comes back: checking a file, or how the text of a hand-in was written. Null at first. */
  cameFrom: 'check' | HandIn | null
  show: (shown: ShownHandIn) => void
  showWritten: (handIn: HandIn) => void
  checkFile: () => void
  close: () => void
}

/** What was handed in, by whom and when: only what the server said, never more. */
export function ReceiptPanel(props: ReceiptPanelProps) {
  const { view, record, cameFrom, show, showWritten, checkFile, close } = props
  const panel = useRef<HTMLElement>(null)
  const check = useRef<HTMLButtonElement>(null)
  const save = useSave()
  const dates = useDates()
  const written = useRef<HTMLButtonElement>(null)
  const [first] = useState(cameFrom === null ? panel : cameFrom === 'check' ? check : written)
  useEffect(() => {
    const { current } = first
    ;(current?.matches('button') ? current : current?.querySelector('button'))?.focus()
  }, [first])
  const addReason = useAddReason(view)
  const { user } = useSignedIn()
  const writtenOf = (handIn: HandIn) => ({
    // What the agency sees of it is the writer's choice.
    showWritten:
      isAdmin(user) || !handIn.receipt || isLost(handIn) ? null : () => showWritten(handIn),
    writtenRef: isSame(handIn, cameFrom) ? written : null,
  })
  const { handIns = [], lost = [], total = 0 } = record.known ?? {}
  const isWaiting = view.completed && view.completionPending
  const all = [...handIns, ...lost]
  const newest = isWaiting ? undefined : all[0]
  const earlier = isWaiting ? all : all.slice(1)
  const isLost = (handIn: HandIn) => lost.includes(handIn)
  const notesOf = (handIn: HandIn) =>
    record.known ? notesAbout(record.known, handIn) : { notes: [], unsent: [] }
  return (
    <SidePanel
      ref={panel}
      title="Receipt"
      intro={newest ? handInSentence(newest, total, dates) : null}
      onBack={close}
      onKeyDown={(event: KeyboardEvent) => moveToEntry(event, panel.current)}
    >
      <div className={classes.scroller}>
        <State {...props} isEmpty={all.length === 0} isWaiting={isWaiting} />
        {newest && (
          <HandInDetails
            key={newest.number}
            handIn={newest}
            isLost={isLost(newest)}
            {...notesOf(newest)}
            {...writtenOf(newest)}
            show={show}
            addReason={hasReason(notesOf(newest)) ? null : addReason}
          />
        )}
        {earlier.map((handIn) => (
          <EarlierHandIn
            key={`${handIn.number} ${handIn.at}`}
            handIn={handIn}
            isLost={isLost(handIn)}
            {...notesOf(handIn)}
            {...writtenOf(handIn)}
            articleId={view.id}
            show={show}
            save={save}
          />
        ))}
      </div>
      {all.length > 0 && (
        <PanelFoot>
          {newest?.receipt && (
            <SaveNewest articleId={view.id} handIn={newest} isFilled={view.completed} save={save} />
          )}
          <Button ref={check} variant="default" onClick={checkFile}>
            Check a file
          </Button>
        </PanelFoot>
      )}
    </SidePanel>
  )
}

/** Opens the question below the title; null where that may not be asked, or is being answered. */
function useAddReason({ id, completed }: ArticleView): (() => void) | null {
  const { user } = useSignedIn()
  const { isKept, begin } = useTypedNote(id, 'reopened')
  return canReopenArticle(user) && !completed && !isKept ? begin : null
}

const hasReason = ({ notes, unsent }: Pick<ArticleRecord, 'notes' | 'unsent'>): boolean =>
  [...notes, ...unsent].some(({ kind }) => kind === 'reopened')

async function fetchParts(): Promise<Omit<FileParts, 'record'>> {
  const [faces, selfCheck] = await Promise.all([fetchFaces(), fetchSelfCheck()])
  return { faces, selfCheck }
}

type Save = (receipt: Receipt | null, record: WritingRecord | null) => Promise<void>

function useSave(): Save {
  const { names, saveFile } = useApp()
  const parts = useOnDemand(fetchParts, 'quietly')
  return async (receipt, record) => {
    if (!receipt) return
    const name = receiptFileName(receipt.article.name, receipt.number)
    const isWhole = parts?.selfCheck && parts.faces.length > 0
    const around = isWhole ? parts : await fetchParts()
    saveFile(name, receiptFile(receipt, names, { ...around, record }))
    notices.success('Saved', name, { subject: 'receipt' })
  }
}

type SaveProps = { articleId: string; handIn: HandIn; save: Save }

/** The button, below what goes with the receipt. */
function SaveNewest({ articleId, handIn, isFilled, save }: SaveProps & { isFilled: boolean }) {
  const { added, leaveOut } = useAddedRecord(articleId, handIn)
  return (
    <>
      {added && <Added leaveOut={leaveOut} />}
      <Button
        variant={isFilled ? 'filled' : 'default'}
        leftSection={<ArrowDownToLine size={16} strokeWidth={1.7} aria-hidden />}
        onClick={() => void save(handIn.receipt, added ?? null)}
      >
        Save receipt
      </Button>
    </>
  )
}

function SaveEarlier({ articleId, handIn, save }: SaveProps) {
  const { added, leaveOut } = useAddedRecord(articleId, handIn)
  return (
    <>
      <UnstyledButton
        className={classes.action}
        onClick={() => void save(handIn.receipt, added ?? null)}
      >
        Save receipt
      </UnstyledButton>
      {added && <Added leaveOut={leaveOut} />}
    </>
  )
}

const Added = ({ leaveOut }: { leaveOut: () => void }) => (
  <p className={classes.added}>
    <Check size={15} strokeWidth={1.7} aria-hidden />
    With how it was written
    <UnstyledButton className={classes.action} onClick={leaveOut}>
      Leave out
    </UnstyledButton>
  </p>
)

export const isSame = (handIn: HandIn, other: HandIn | 'check' | null): boolean =>
  other !== null && other !== 'check' && other.number === handIn.number && other.at === handIn.at

type StateProps = ReceiptPanelProps & { isEmpty: boolean; isWaiting: boolean }

/** What is not here, and why. */
function State({ view, record, isOffline, isEmpty, isWaiting }: StateProps) {
  const now = useNow(60_000)
  const dates = useDates()
  const { known, isBehind, tryAgain } = record
  if (isWaiting) {
    const at = view.completionSince === null ? '' : ` at ${dates.timeOf(view.completionSince, now)}`
    return (
      <p className={classes.block}>
        <b>Not handed in yet</b>
        <br />
        Marked complete on this computer{at}. The receipt comes from the agency as soon as it
        answers.
      </p>
    )
  }
  if (isBehind && isOffline)
    return <p className={classes.block}>Newer receipts will appear when you are back online.</p>
  if (isBehind) {
    return (
      <p className={classes.block} role="alert">
        Couldn’t load the receipt. <TextButton onClick={tryAgain}>Try again</TextButton>
      </p>
    )
  }
  if (!isEmpty) return null
  return (
    <p className={classes.block}>
      {known && !known.isStale ? 'There is no receipt yet.' : 'Loading…'}
    </p>
  )
}

type EarlierHandInProps = Omit<Parameters<typeof HandInDetails>[0], 'children'> & {
  articleId: string
  save: Save
}

/** A row that unfolds. */
function EarlierHandIn({ articleId, save, ...details }: EarlierHandInProps) {
  const { number, at, by, receipt, reopened } = details.handIn
  const dates = useDates()
  const [isOpen, setOpen] = useState(details.writtenRef !== null)
  const id = useId()
  const facts = [dates.dateTime(at), ...(receipt ? [wordsOf(receipt.words)] : [])]
  return (
    <div>
      <UnstyledButton
        className={classes.row}
        data-entry
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <b>Hand-in {number}</b>
          <br />
          {facts.join(' · ')}
          {reopened && (
            <>
              <br />
              Reopened by {nameOf(reopened.by)}
            </>
          )}
        </span>
        <ChevronDown size={15} strokeWidth={1.7} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <div id={id}>
          <p className={classes.block}>
            {receipt
              ? `Handed in by ${nameOf(by)}.`
              : `Completed before receipts were kept, by ${nameOf(by)}.`}
          </p>
          <HandInDetails {...details}>
            {receipt && <SaveEarlier handIn={details.handIn} {...{ articleId, save }} />}
          </HandInDetails>
        </div>
      )}
    </div>
  )
}
