import { UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronUp, RotateCcw } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { readArticleRecord, type UnsentNote } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase, useNow, useSignedIn, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { copyText } from '../../../ui/buttons/copy-text.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useFocusFallback } from '../../../ui/focus-fallback.ts'
import { Banner } from '../../../ui/page/banner.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import classes from './agency-notices.module.css'
import { CutText } from './cut-text.tsx'
import { NoteForm } from './note-form.tsx'
import { type Reopening, reopeningOf, type ShownNote } from './reopened.ts'
import { useTypedNote } from './typed-note.ts'

type ReopenedNoticeProps = {
  view: ArticleView
  /** Compares what was handed in with the current text. */
  compareWith: (handIn: HandIn) => void
}

/** Why the agency reopened the article, and what was answered; until it is complete again. */
export function ReopenedNotice({ view, compareWith }: ReopenedNoticeProps) {
  const database = useDatabase()
  const { user } = useSignedIn()
  const record = useLocalQuery(() => readArticleRecord(database, view.id), [database, view.id])
  const reason = useTypedNote(view.id, 'reopened')
  const reopening = record && !view.completed ? reopeningOf(record, user.id) : null
  if (!reopening || !(reopening.reopened ?? reopening.notes.length)) return null
  // The question for the reason is below the title.
  if (reason.isKept && reopening.notes.length === 0) return null
  return (
    <Reopened
      key={reopening.handIn.number}
      {...{ view, reopening, compareWith }}
      addReason={reason.begin}
    />
  )
}

type ReopenedProps = ReopenedNoticeProps & { reopening: Reopening; addReason: () => void }

function Reopened({ view, reopening, compareWith, addReason }: ReopenedProps) {
  const { handIn, reopened, notes } = reopening
  const { isFolded, setFolded } = useFolded(view.id, handIn.number)
  const { user } = useSignedIn()
  const now = useNow(A_MINUTE_MS)
  const dates = useDates()
  const isOwn = reopened?.by?.id === user.id
  const by = isOwn ? 'You' : (reopened?.by?.name ?? 'The agency')
  const isHandedInHere = handIn.by?.id === user.id
  const lacksReason = isOwn && !notes.some(({ isReason }) => isReason)
  const Chevron = isFolded ? ChevronDown : ChevronUp
  return (
    <Banner
      kind="info"
      icon={RotateCcw}
      actions={
        <UnstyledButton
          className={classes.fold}
          aria-expanded={!isFolded}
          aria-label="Why it was reopened"
          onClick={() => setFolded(!isFolded)}
        >
          <Chevron size={16} strokeWidth={1.6} aria-hidden />
        </UnstyledButton>
      }
    >
      <strong>{by} reopened this article</strong>
      {reopened && ` · ${dates.timeOf(reopened.at, now)}`}
      {!isFolded && (
        <>
          {notes.map((note) => (
            <Note key={note.key} note={note} now={now} />
          ))}
          <Answers articleId={view.id} handIn={handIn.number}>
            <TextButton onClick={() => compareWith(handIn)}>
              {isHandedInHere
                ? 'What changed since you handed it in'
                : 'What changed since it was handed in'}
            </TextButton>
            {lacksReason && <TextButton onClick={addReason}>Add a reason</TextButton>}
          </Answers>
        </>
      )}
    </Banner>
  )
}

const A_MINUTE_MS = 60_000

/** Folded to one line on this computer, for this hand-in. */
function useFolded(articleId: string, handIn: number) {
  const database = useDatabase()
  const key = `folded-notice:${articleId}` as const
  const folded = useLocalQuery(async () => (await database.meta.get(key))?.value, [database, key])
  return {
    isFolded: folded === handIn,
    setFolded: (isFolded: boolean) =>
      void database.meta.put({ key, value: isFolded ? handIn : null }).catch(() => {}),
  }
}

type AnswersProps = { articleId: string; handIn: number; children: ReactNode }

/** The actions below the notes; the form takes the place of its button. */
function Answers({ articleId, handIn, children }: AnswersProps) {
  const { typed, begin, end } = useTypedNote(articleId, 'answer')
  const place = useRef<HTMLDivElement>(null)
  const pressed = useFocusFallback(place)
  return (
    <div ref={place} tabIndex={-1} className={classes.answers}>
      <div className={classes.actions}>
        {children}
        {typed === null && (
          <TextButton ref={pressed} onClick={begin}>
            Answer
          </TextButton>
        )}
      </div>
      {typed !== null && <NoteForm kind="answer" {...{ articleId, handIn, typed }} onDone={end} />}
    </div>
  )
}

/** A reason as it was written; an answer with its author and time. */
function Note({ note, now }: { note: ShownNote; now: number }) {
  const { body, isReason, author, at, unsent } = note
  const { timeOf } = useDates()
  return (
    <div className={isReason ? classes.reason : classes.answer}>
      {!isReason && (
        <b>
          <bdi>{author ?? 'You'}</bdi>, {timeOf(at, now)}:{' '}
        </b>
      )}
      {isReason ? (
        <CutText text={body} className={classes.words} />
      ) : (
        <span dir="auto">{body}</span>
      )}
      {unsent && <Unsent note={unsent} />}
    </div>
  )
}

/** A note that the agency does not have yet. */
function Unsent({ note: { seq, body, refusal } }: { note: UnsentNote }) {
  const sync = useSync()
  if (refusal === null) {
    return <p className={classes.unsent}>On this computer, not sent yet</p>
  }
  async function copy() {
    try {
      await copyText(() => body)
      notices.success('Text copied', 'Your note is copied to your clipboard.')
    } catch {
      notices.error('Error', 'There was an error while trying to copy the text to your clipboard.')
    }
  }
  return (
    <p className={classes.unsent}>
      Couldn’t be sent. {refusal} <TextButton onClick={() => void copy()}>Copy it</TextButton>{' '}
      <TextButton onClick={() => void sync.retryNote(seq)}>Try again</TextButton>{' '}
      <TextButton onClick={() => void sync.removeNote(seq)}>Remove</TextButton>
    </p>
  )
}
