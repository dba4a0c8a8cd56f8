import { UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { CloudOff } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { momentBehindWords } from '../../../../domain/calendar/moments.ts'
import { TAKE_BACK_MS } from '../../../../domain/limits.ts'
import { diffWords } from '../../../../domain/text/word-diff.ts'
import type { MarginNote, NoteAnswer, Unsent } from '../../../../sync/status/margin-notes.ts'
import { leftNote } from '../../../../sync/store/typed-notes.ts'
import { useDatabase, useIsPast, useSignedIn, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { copyWords } from '../../../unsent/kept-text.ts'
import { CutText } from '../agency-notices/cut-text.tsx'
import { NoteForm } from '../agency-notices/note-form.tsx'
import { useTypedNote } from '../agency-notices/typed-note.ts'
import { insertAtCursor } from '../scorecard/entity-edits.ts'
import { wordsAt } from './note-bands.ts'
import classes from './notes-panel.module.css'
import type { NotesStore } from './notes-state.ts'
import { replaceWords, wordsOf } from './replace-words.ts'
import { showPlace } from './show-place.ts'

type NoteEntryProps = {
  note: MarginNote
  /** In milliseconds since 1970, to the minute. */
  now: number
  articleId: string
  isCompleted: boolean
  editor: Editor
  store: NotesStore
  /** Whether the text ever had the focus. */
  hadCursor: () => boolean
  /** The one entry that is in the order of Tab, with its actions. */
  isTabStop: boolean
  onFocus: (ref: string) => void
  /** When the last version that is known to have its words was saved, in milliseconds since 1970; null where that is not known. */
  lastSavedAt: number | null
  showVersion: (note: MarginNote) => void
  /** The entry of this note goes away: the focus goes to the next one. */
  moveOn: (ref: string) => void
}

/** A note with its answers, and what can be done with it. */
export const NoteEntry = memo(function NoteEntry(props: NoteEntryProps) {
  const { note, now, articleId, isCompleted, editor, store, hadCursor, moveOn } = props
  const { isTabStop, onFocus, lastSavedAt, showVersion } = props
  const { ref, anchor, body, suggestion, answers, done } = note
  // Positions change with every edit before them, so they are read on use instead of rendering again.
  const words = useStore(store, ({ places }) => places.get(ref)?.words)
  const isChanged = useStore(store, ({ places }) => places.get(ref)?.isChanged)
  const isCurrent = useStore(store, ({ current }) => current === ref)
  const isGone = useStore(store, ({ gone }) => gone.has(ref)) && !done
  const entry = useRef<HTMLLIElement>(null)
  const sync = useSync()
  const { user } = useSignedIn()
  const dates = useDates()
  const database = useDatabase()
  const [isAnswering, setAnswering] = useState(
    () => leftNote(database, articleId, `answer-${ref}`) !== null,
  )
  useEffect(() => {
    if (isCurrent) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])

  function goTo() {
    store.setState({ current: ref })
    showPlace(editor, store.getState().places.get(ref))
  }
  async function mark(isDone: boolean, words: string | null) {
    await notices.attempt('Article Error', async () => {
      moveOn(ref)
      await sync.changeNote(articleId, ref, { done: isDone })
      if (words !== null) store.setState({ said: words })
      if (isDone && words === 'Note done.')
        notices.success('Note done', undefined, {
          subject: 'note',
          actions: [{ label: 'Undo', run: () => void mark(false, null) }],
        })
    })
  }
  function takeWords() {
    const place = store.getState().bandPlaces().get(ref)
    const isThere = place && wordsAt(editor.state.doc, place) === anchor.quote
    if (!isThere || suggestion === null) return
    replaceWords(editor, place, suggestion)
    void mark(true, 'Words replaced. Note done.')
  }
  const by = nameOf(note.author, user.id)
  const timeOf = (at: number) => momentBehindWords(at, now, dates)
  const when = timeOf(note.at)
  const isOwn = note.author.id === user.id
  const isFresh = isOwn && now - note.at < TAKE_BACK_MS
  const isLate = useIsPast(isFresh ? note.at + TAKE_BACK_MS : null, TAKE_BACK_MS)
  const mayTakeBack = isOwn && (note.unsent !== null || (isFresh && !isLate))
  const tabIndex = isTabStop ? 0 : -1
  /** Other words that may still be put into the text. */
  const offered = isCompleted || done ? null : suggestion
  const mayInsert = offered !== null && (isGone || isChanged)
  const mayUse = offered !== null && isChanged === false
  const name = [
    `About ‘${words ?? anchor.quote}’`,
    `by ${by}`,
    when,
    ...(answers.length > 0
      ? [answers.length === 1 ? '1 answer' : `${answers.length} answers`]
      : []),
    done ? 'done' : 'open',
  ].join(', ')
  return (
    <li
      ref={entry}
      className={classes.entry}
      data-current={isCurrent}
      data-done={done !== null}
      onFocus={() => onFocus(ref)}
    >
      <UnstyledButton
        className={classes.quote}
        dir="auto"
        data-entry={ref}
        tabIndex={tabIndex}
        aria-label={name}
        title={words ?? anchor.quote}
        onClick={goTo}
      >
        {words ?? anchor.quote}
      </UnstyledButton>
      {body !== '' && <CutText text={body} className={classes.body} tabIndex={tabIndex} />}
      {suggestion !== null && <Suggestion quote={anchor.quote} words={suggestion} />}
      <p className={classes.who}>
        <bdi>{by}</bdi>, {when}
        {done && (
          <>
            {' '}
            · done by <bdi>{nameOf(done.author, user.id)}</bdi>, {timeOf(done.at)}
          </>
        )}
      </p>
      {isChanged && <p className={classes.who}>Said of: ‘{anchor.quote}’</p>}
      {isGone && lastSavedAt !== null && (
        <p className={classes.who}>Still in the version from {dates.timeOf(lastSavedAt, now)}</p>
      )}
      <NotSent unsent={note.unsent} body={body || (suggestion ?? '')} tabIndex={tabIndex} />
      {answers.map((answer) => (
        <Answer key={answer.ref} {...{ answer, userId: user.id, timeOf, tabIndex }} />
      ))}
      {offered !== null && isChanged && (
        <p className={classes.who}>These words have changed since.</p>
      )}
      {isAnswering ? (
        <AnswerForm articleId={articleId} to={ref} onDone={() => setAnswering(false)} />
      ) : (
        <div className={classes.actions}>
          {isGone && lastSavedAt !== null && (
            <TextButton tabIndex={tabIndex} onClick={() => showVersion(note)}>
              Show the version
            </TextButton>
          )}
          {mayUse && (
            <TextButton tabIndex={tabIndex} onClick={takeWords}>
              Use these words
            </TextButton>
          )}
          {mayInsert && (
            <TextButton
              tabIndex={tabIndex}
              onClick={() => insertAtCursor(editor, offered, hadCursor())}
            >
              Insert at the cursor
            </TextButton>
          )}
          {suggestion !== null && !mayUse && !done && (
            <TextButton tabIndex={tabIndex} onClick={() => void copyWords(suggestion)}>
              Copy the words
            </TextButton>
          )}
          {!done && (
            <TextButton tabIndex={tabIndex} onClick={() => setAnswering(true)}>
              Answer
            </TextButton>
          )}
          {done ? (
            <TextButton tabIndex={tabIndex} onClick={() => void mark(false, 'Note open.')}>
              Open again
            </TextButton>
          ) : (
            <TextButton tabIndex={tabIndex} onClick={() => void mark(true, 'Note done.')}>
              Done
            </TextButton>
          )}
          {mayTakeBack && (
            <TextButton
              tabIndex={tabIndex}
              onClick={() => {
                moveOn(ref)
                void sync.changeNote(articleId, ref, { takenBack: true })
              }}
            >
              Take back
            </TextButton>
          )}
        </div>
      )}
    </li>
  )
})

const nameOf = ({ id, name }: MarginNote['author'], userId: string): string =>
  id === userId ? 'You' : name

function AnswerForm(props: { articleId: string; to: string; onDone: () => void }) {
  const { articleId, to, onDone } = props
  const { typed, end } = useTypedNote(articleId, `answer-${to}`)
  return (
    <NoteForm
      kind="answer"
      handIn={null}
      {...{ articleId, to }}
      typed={typed ?? ''}
      onDone={() => {
        end()
        onDone()
      }}
    />
  )
}

type AnswerProps = {
  answer: NoteAnswer
  userId: string
  timeOf: (at: number) => string
  tabIndex: 0 | -1
}

function Answer({ answer, userId, timeOf, tabIndex }: AnswerProps) {
  return (
    <div className={classes.answer}>
      <p className={classes.body} dir="auto">
        {answer.body}
      </p>
      <p className={classes.who}>
        <bdi>{nameOf(answer.author, userId)}</bdi>, {timeOf(answer.at)}
      </p>
      <NotSent unsent={answer.unsent} body={answer.body} tabIndex={tabIndex} />
    </div>
  )
}

/** Nothing once the agency has it. */
function NotSent(props: { unsent: Unsent | null; body: string; tabIndex: 0 | -1 }) {
  const { unsent, body, tabIndex } = props
  const sync = useSync()
  if (!unsent) return null
  const { seq, refusal } = unsent
  if (refusal === null)
    return (
      <p className={classes.unsent}>
        <CloudOff size={14} strokeWidth={1.7} aria-hidden />
        On this computer; the agency does not have it yet
      </p>
    )
  return (
    <p className={classes.refused}>
      Couldn’t be sent. {refusal}{' '}
      <TextButton tabIndex={tabIndex} onClick={() => void copyWords(body)}>
        Copy the note
      </TextButton>{' '}
      <TextButton tabIndex={tabIndex} onClick={() => void sync.retryNote(seq)}>
        Try again
      </TextButton>{' '}
      <TextButton tabIndex={tabIndex} onClick={() => void sync.removeNote(seq)}>
        Remove
      </TextButton>
    </p>
  )
}

/** Words taken out are struck, words put in underlined, in one sequence. */
function Suggestion({ quote, words }: { quote: string; words: string }) {
  const [before, after] = [wordsOf(quote), wordsOf(words)]
  const parts: { kind: 'same' | 'removed' | 'inserted'; text: string; at: number }[] = []
  let at = 0
  for (const { from, to, newFrom, newTo } of diffWords(before, after)) {
    parts.push({ kind: 'same', text: before.slice(at, from).join(''), at })
    parts.push({ kind: 'removed', text: before.slice(from, to).join(''), at: from })
    parts.push({ kind: 'inserted', text: after.slice(newFrom, newTo).join(''), at: from })
    at = to
  }
  parts.push({ kind: 'same', text: before.slice(at).join(''), at })
  const shown = parts.filter(({ text }) => text !== '')
  return (
    <div className={classes.suggestion}>
      <span className={classes.who}>Suggested words</span>
      <span dir="auto">
        {shown.map(({ kind, text, at: place }) => {
          const key = `${kind} ${place}`
          if (kind === 'removed') return <del key={key}>{text}</del>
          if (kind === 'inserted') return <ins key={key}>{text}</ins>
          return <span key={key}>{text}</span>
        })}
      </span>
    </div>
  )
}
