import { Button, Textarea } from '@mantine/core'
import { RotateCcw } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { NOTE_MAX } from '../../../../domain/limits.ts'
import { noteText } from '../../../../domain/notes/note-text.ts'
import { readArticleRecord } from '../../../../sync/status/article-record.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { useTypedNote } from '../agency-notices/typed-note.ts'
import { useReopen } from '../completion/use-reopen.ts'
import classes from './notes-panel.module.css'
import type { NotesStore } from './notes-state.ts'

type ReopenFootProps = { view: ArticleView; store: NotesStore; open: number }

/** Reopens a complete article for its notes, and sends the reason, if there is one. */
export function ReopenFoot({ view, store, open }: ReopenFootProps) {
  const sync = useSync()
  const database = useDatabase()
  const reopen = useReopen(view)
  const { typed, keep, end } = useTypedNote(view.id, 'reopened')
  const [error, setError] = useState<string | null>(null)
  const id = useId()
  const hint = useId()
  const isUnderWay = useRef(false)

  async function submit() {
    const body = noteText(typed ?? '')
    if (body.length > NOTE_MAX)
      return setError(`A reason has at most ${figure(NOTE_MAX)} characters.`)
    if (isUnderWay.current) return
    isUnderWay.current = true
    store.setState({ isReasonGiven: true })
    await notices.attempt('Article Error', async () => {
      try {
        await reopen()
        if (body !== '') {
          const handIn = (await readArticleRecord(database, view.id)).handIns[0]?.number ?? null
          await sync.addNote(view.id, { kind: 'reopened', body, handIn })
        }
        end()
      } catch (error) {
        store.setState({ isReasonGiven: false })
        throw error
      }
    })
    isUnderWay.current = false
  }
  return (
    <form
      className={classes.reopen}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label htmlFor={id} className={classes.label}>
        Why do you reopen it?
      </label>
      <span id={hint} className={classes.hint}>
        The writers see this above the text.
      </span>
      <Textarea
        id={id}
        aria-describedby={hint}
        autosize
        minRows={2}
        maxRows={4}
        dir="auto"
        value={typed ?? ''}
        error={error}
        onChange={(event) => {
          keep(event.currentTarget.value)
          setError(null)
        }}
      />
      <Button
        type="submit"
        variant="default"
        fullWidth
        leftSection={<RotateCcw size={16} strokeWidth={1.7} aria-hidden />}
      >
        Reopen with {counted(open, 'note')}
      </Button>
    </form>
  )
}
