import { Button, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { FIRST_DUE_DAY, LAST_DUE_DAY } from '../../../../domain/calendar/due-date.ts'
import { BRIEF_MAX } from '../../../../domain/limits.ts'
import { noteText } from '../../../../domain/notes/note-text.ts'
import type { Plan } from '../../../../domain/wire/plans.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { storePlan } from '../../../../sync/store/fetched-plan.ts'
import { keepTypedNote } from '../../../../sync/store/typed-notes.ts'
import { useDatabase, useSend } from '../../../app/app-context.tsx'
import { Refused } from '../../../remote/http.ts'
import { savePlan } from '../../../remote/plans.ts'
import { figure } from '../../../ui/words/figure.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'
import { BriefConflict } from './brief-conflict.tsx'
import classes from './brief-panel.module.css'
import { planOf, type TypedBrief, typedText } from './typed-brief.ts'

type BriefFormProps = {
  view: ArticleView
  typed: TypedBrief
  isOffline: boolean
  /** It was saved, or is not wanted. */
  onDone: (isSaved: boolean) => void
}

/** From here on the length is shown. */
const NEAR_MAX = BRIEF_MAX - 1_000
const OFFLINE = 'You need a connection to save the brief.'

/** What is typed stays on this computer until it is saved or cancelled. */
export function BriefForm({ view, typed, isOffline, onDone }: BriefFormProps) {
  const [text, setText] = useState(typed)
  const database = useDatabase()
  const { save, isSaving, conflict, error, setError } = useSaving(view.id, onDone)
  const day = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => box.current?.focus(), [])

  function change(changes: Partial<TypedBrief>) {
    const next = { ...text, ...changes }
    setText(next)
    setError(null)
    keepTypedNote(database, view.id, 'brief', typedText(next))
  }
  function submit(counter: number) {
    if (day.current?.validity.valid === false) return setError(NO_DATE)
    if (noteText(text.brief).length > BRIEF_MAX)
      return setError(`A brief has at most ${figure(BRIEF_MAX)} characters.`)
    void save(text, counter)
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || conflict) return
    event.preventDefault()
    submit(text.counter)
  }

  const { length } = noteText(text.brief)
  const message = isOffline ? OFFLINE : error
  return (
    <form
      className={classes.form}
      noValidate
      onKeyDown={handleKey}
      onSubmit={(event) => {
        event.preventDefault()
        if (!conflict) submit(text.counter)
      }}
    >
      {conflict && (
        <BriefConflict
          theirs={conflict}
          isSaving={isSaving}
          onKeepMine={() => submit(conflict.counter)}
          onUseTheirs={() => onDone(false)}
        />
      )}
      <TextInput
        ref={day}
        label="Due"
        type="date"
        min={FIRST_DUE_DAY}
        max={LAST_DUE_DAY}
        value={text.dueOn}
        onChange={(event) => change({ dueOn: event.currentTarget.value })}
      />
      <Textarea
        ref={box}
        label={conflict ? 'Your brief' : 'Brief'}
        autosize
        minRows={8}
        dir="auto"
        value={text.brief}
        aria-describedby={message === null ? undefined : id}
        onChange={(event) => change({ brief: event.currentTarget.value })}
      />
      {length >= NEAR_MAX && (
        <p className={classes.length} role="status">
          {figure(length)} of {figure(BRIEF_MAX)}
        </p>
      )}
      <p id={id} className={classes.message} data-offline={isOffline} role="alert">
        {message}
      </p>
      {!conflict && (
        <div className={classes.actions}>
          <Button variant="subtle" size="compact" onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button variant="default" size="compact" type="submit" loading={isSaving}>
            Save brief
          </Button>
        </div>
      )}
    </form>
  )
}

const NO_DATE = 'Enter a whole date from 2000 to 2199, or none.'

/** `conflict`: the plan that was saved by another admin since this one was opened. */
function useSaving(articleId: string, onDone: (isSaved: boolean) => void) {
  const send = useSend()
  const database = useDatabase()
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Plan | null>(null)
  const [error, setError] = useState<string | null>(null)

  async function save(typed: TypedBrief, counter: number) {
    if (isSaving) return
    setSaving(true)
    setError(null)
    try {
      const answer = await savePlan(send, articleId, planOf(typed), counter)
      await storePlan(database, articleId, answer.plan, { epoch: answer.epoch, isRead: true })
      if (answer.kind === 'saved') return onDone(true)
      setConflict(answer.plan)
    } catch (fault) {
      setError(sayFault(fault))
    } finally {
      setSaving(false)
    }
  }
  return { save, isSaving, conflict, error, setError }
}

function sayFault(fault: unknown): string {
  if (fault instanceof Refused) return `Couldn’t save the brief. ${refusalWords(fault.message)}`
  return fault instanceof NoAnswer ? OFFLINE : 'Couldn’t save the brief.'
}
