import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { MarginNote, NoteAnswer } from '../../../../sync/status/margin-notes.ts'
import { useDates } from '../../../app/use-dates.ts'
import type { NotesStore } from './notes-state.ts'
import classes from './printed-notes.module.css'
import { inTextOrder } from './text-order.ts'

/** The open notes, behind the text on paper, in its order. */
export function PrintedNotes({ store }: { store: NotesStore }) {
  const isPrinted = useStore(store, (state) => state.isPrinted)
  const notes = useStore(store, (state) => state.notes)
  useEffect(() => {
    const end = () => store.setState({ isPrinted: false })
    window.addEventListener('afterprint', end)
    return () => window.removeEventListener('afterprint', end)
  }, [store])
  if (!isPrinted || !notes) return null
  const open = notes.filter(({ done }) => done === null)
  return (
    <section className={classes.notes}>
      <h2 className={classes.title}>Notes</h2>
      <ol className={classes.list}>
        {inTextOrder(open, store.getState()).map((note) => (
          <Note key={note.ref} note={note} />
        ))}
      </ol>
    </section>
  )
}

function Note({ note }: { note: MarginNote }) {
  const { anchor, suggestion, answers } = note
  return (
    <li className={classes.note}>
      <p className={classes.quote} dir="auto">
        ‘{anchor.quote}’
      </p>
      <Words of={note} />
      {suggestion !== null && <p dir="auto">Suggested words: {suggestion}</p>}
      {answers.map((answer) => (
        <Words key={answer.ref} of={answer} />
      ))}
    </li>
  )
}

function Words({ of: { body, author, at } }: { of: NoteAnswer }) {
  const { dateTime } = useDates()
  return (
    <>
      {body !== '' && <p dir="auto">{body}</p>}
      <p className={classes.who}>
        <bdi>{author.name}</bdi>, {dateTime(at)}
      </p>
    </>
  )
}
