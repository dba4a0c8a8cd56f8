import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { NOTE_MAX } from '../../../../domain/limits.ts'
import { noteText } from '../../../../domain/notes/note-text.ts'
import type { HandInNoteKind } from '../../../../domain/wire/notes.ts'
import { keepTypedNote } from '../../../../sync/store/typed-notes.ts'
import { useApp, useDatabase, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { figure } from '../../../ui/words/figure.ts'
import classes from './agency-notices.module.css'

type NoteFormProps = {
  articleId: string
  kind: HandInNoteKind
  handIn: number | null
  /** The note about words that it answers. */
  to?: string
  /** What was typed before the page was loaded again. */
  typed: string
  /** It was sent, or is not wanted. */
  onDone: () => void
}

const WORDS = {
  reopened: {
    label: 'Why did you reopen it?',
    hint: 'The writers see this above the text.',
    submit: 'Send',
    cancel: 'Skip',
    missing: 'Write a reason, or choose Skip.',
  },
  answer: {
    label: 'Your answer',
    hint: null,
    submit: 'Send answer',
    cancel: 'Cancel',
    missing: 'Write an answer, or choose Cancel.',
  },
}

/** From here on the length is shown. */
const NEAR_MAX = NOTE_MAX - 200

/** A note that is being written. What is typed stays on this computer until it is sent or cancelled. */
export function NoteForm(props: NoteFormProps) {
  const { articleId, kind, handIn, to, typed, onDone } = props
  const words = WORDS[kind]
  const sync = useSync()
  const { newId } = useApp()
  const database = useDatabase()
  const [text, setText] = useState(typed)
  const [error, setError] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => box.current?.focus(), [])

  function change(next: string) {
    setText(next)
    setError(null)
    keepTypedNote(database, articleId, to === undefined ? kind : `answer-${to}`, next)
  }
  async function send() {
    const body = noteText(text)
    if (body === '') return setError(words.missing)
    if (body.length > NOTE_MAX)
      return setError(`A note has at most ${figure(NOTE_MAX)} characters.`)
    await notices.attempt('Article Error', async () => {
      await sync.addNote(
        articleId,
        to === undefined ? { kind, body, handIn } : { kind: 'answer', body, ref: newId(), to },
      )
      onDone()
    })
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onDone()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
  }

  const { length } = noteText(text)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className={classes.formHead}>
        <label htmlFor={id}>{words.label}</label>
        {words.hint && <span className={classes.hint}>{words.hint}</span>}
      </div>
      <Textarea
        ref={box}
        id={id}
        autosize
        minRows={2}
        maxRows={6}
        dir="auto"
        value={text}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <div className={classes.formFoot}>
        {length >= NEAR_MAX && (
          <span className={classes.length} role="status">
            {figure(length)} of {figure(NOTE_MAX)}
          </span>
        )}
        <Button variant="subtle" size="compact" className={classes.button} onClick={onDone}>
          {words.cancel}
        </Button>
        <Button variant="default" size="compact" className={classes.button} type="submit">
          {words.submit}
        </Button>
      </div>
    </form>
  )
}
