import { Button, Checkbox, Textarea } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { NOTE_MAX, NOTES_MAX, QUOTE_MAX } from '../../../../domain/limits.ts'
import { noteText } from '../../../../domain/notes/note-text.ts'
import { forgetTypedNote, keepTypedNote, leftNote } from '../../../../sync/store/typed-notes.ts'
import { useApp, useDatabase, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { figure } from '../../../ui/words/figure.ts'
import classes from './notes-panel.module.css'
import type { NotesState } from './notes-state.ts'

type NewNoteProps = {
  articleId: string
  editor: Editor
  writing: NonNullable<NotesState['writing']>
  /** The article has the most notes that it can have. */
  isFull: boolean
  /** With the name of the note that was added; null without one. */
  onDone: (ref: string | null) => void
}

const NEAR_MAX = NOTE_MAX - 200

type Typed = { text: string; suggestion: string | null }

/** What was typed about the same words before; a note that was cancelled is kept too. */
function typedBefore(left: string | null, quote: string): Typed | null {
  const typed: (Typed & { quote: string }) | null = left === null ? null : JSON.parse(left)
  return typed?.quote === quote ? typed : null
}

/** A note about the selected words, which may offer others for them. */
export function NewNote({ articleId, writing: { anchor }, isFull, onDone }: NewNoteProps) {
  const { newId } = useApp()
  const sync = useSync()
  const database = useDatabase()
  const [left] = useState(() => typedBefore(leftNote(database, articleId, 'note'), anchor.quote))
  const [text, setText] = useState(left?.text ?? '')
  const [suggestion, setSuggestion] = useState(left?.suggestion ?? null)
  const [error, setError] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isLong = anchor.quote.length > QUOTE_MAX
  const mayWrite = !isLong && !isFull
  useEffect(() => (mayWrite ? box : cancel).current?.focus(), [mayWrite])

  function keep(typed: Typed) {
    setText(typed.text)
    setSuggestion(typed.suggestion)
    keepTypedNote(database, articleId, 'note', JSON.stringify({ quote: anchor.quote, ...typed }))
  }
  async function add() {
    const body = noteText(text)
    const words = noteText(suggestion ?? anchor.quote)
    const isOther = words !== anchor.quote && words !== ''
    if (body === '' && !isOther) return setError('Write a note or suggest other words.')
    if (body.length > NOTE_MAX)
      return setError(`A note has at most ${figure(NOTE_MAX)} characters.`)
    const ref = newId()
    await notices.attempt('Article Error', async () => {
      await sync.addNote(articleId, {
        kind: 'note',
        ref,
        body,
        anchor,
        ...(isOther && { suggestion: words }),
      })
      forgetTypedNote(database, articleId, 'note')
      onDone(ref)
    })
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onDone(null)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (mayWrite) void add()
    }
  }
  const { length } = noteText(text)
  return (
    <form
      className={classes.form}
      onKeyDown={handleKey}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <blockquote className={classes.quote} dir="auto" title={anchor.quote}>
        {anchor.quote}
      </blockquote>
      {isLong && (
        <p className={classes.refused}>Select fewer words: at most {figure(QUOTE_MAX)} letters.</p>
      )}
      {isFull && (
        <p className={classes.refused}>
          This article has {figure(NOTES_MAX)} notes, the most it can have.
        </p>
      )}
      {mayWrite && (
        <>
          <label htmlFor={id} className={classes.label}>
            Note
          </label>
          <Textarea
            ref={box}
            id={id}
            autosize
            minRows={2}
            maxRows={6}
            dir="auto"
            value={text}
            error={error}
            onChange={(event) => {
              keep({ text: event.currentTarget.value, suggestion })
              setError(null)
            }}
          />
          {!anchor.quote.includes('\n') && (
            <Checkbox
              label="Suggest other words"
              checked={suggestion !== null}
              onChange={(event) =>
                keep({ text, suggestion: event.currentTarget.checked ? anchor.quote : null })
              }
            />
          )}
          {suggestion !== null && (
            <Textarea
              label="Other words"
              description="The text stays as it is until someone uses them."
              inputWrapperOrder={['label', 'input', 'description']}
              autosize
              maxRows={4}
              dir="auto"
              autoFocus
              maxLength={QUOTE_MAX}
              value={suggestion}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) =>
                keep({ text, suggestion: event.currentTarget.value.replace(/\n/g, ' ') })
              }
            />
          )}
        </>
      )}
      <div className={classes.formFoot}>
        {length >= NEAR_MAX && (
          <span className={classes.length} role="status">
            {figure(length)} of {figure(NOTE_MAX)}
          </span>
        )}
        <Button ref={cancel} variant="subtle" size="compact" onClick={() => onDone(null)}>
          Cancel
        </Button>
        {mayWrite && (
          <Button variant="default" size="compact" type="submit">
            Add note
          </Button>
        )}
      </div>
    </form>
  )
}
