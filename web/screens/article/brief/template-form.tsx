import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { Template } from '../../../../domain/wire/templates.ts'
import { NoAnswer } from '../../../../sync/ports.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useSend } from '../../../app/app-context.tsx'
import { Refused } from '../../../remote/http.ts'
import { createTemplates } from '../../../remote/templates.ts'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { useAbortableEffect } from '../../../ui/use-abortable-effect.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'
import classes from './brief-panel.module.css'

type TemplateFormProps = {
  view: Pick<ArticleView, 'id' | 'name'>
  /** With the name of the template that was saved, or null. */
  onDone: (saved: string | null) => void
}

/** Copies the article, as the agency has it, into a template for new ones. */
export function TemplateForm({ view, onDone }: TemplateFormProps) {
  const { known, save, remove, busy, error } = useTemplates()
  const [name, setName] = useState(view.name)
  const [going, setGoing] = useState<Template | null>(null)
  const id = useId()
  const wanted = name.trim()
  const replaced = known.find((template) => lower(template.name) === lower(wanted))

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (wanted !== '' && (await save(wanted, view.id))) onDone(wanted)
  }

  return (
    <form className={classes.template} noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Name of the template"
        description="Copies brief, headings, minimum and entities for new articles."
        autoFocus
        maxLength={200}
        value={name}
        aria-describedby={id}
        error={wanted === '' ? 'Enter a name.' : null}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <p id={id} className={classes.message} data-said={error === null} role="status">
        {error ?? (replaced && 'Replaces the template of this name. Articles stay as they are.')}
      </p>
      <div className={classes.actions}>
        <Button variant="subtle" size="compact" onClick={() => onDone(null)}>
          Cancel
        </Button>
        <Button variant="default" size="compact" type="submit" loading={busy}>
          Save template
        </Button>
      </div>
      {known.length > 0 && (
        <ul className={classes.templates} aria-label="Templates">
          {known.map((template) => (
            <li key={template.id}>
              <span>{template.name}</span>
              {going?.id === template.id ? (
                <span>
                  <TextButton onClick={() => void remove(template)}>Delete it</TextButton>
                  <TextButton onClick={() => setGoing(null)}>Keep it</TextButton>
                </span>
              ) : (
                <TextButton onClick={() => setGoing(template)}>Delete…</TextButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

const lower = (name: string) => name.toLowerCase()

/** `error` is what the last change met; the list stays empty where it cannot be read. */
function useTemplates() {
  const send = useSend()
  const templates = useMemo(() => createTemplates(send), [send])
  const [known, setKnown] = useState<readonly Template[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useAbortableEffect(
    (signal) => {
      templates.list().then(
        (list) => !signal.aborted && setKnown(list),
        () => {},
      )
    },
    [templates],
  )

  /** Resolves with whether it was done. */
  async function change(call: Promise<void>): Promise<boolean> {
    setBusy(true)
    setError(null)
    try {
      await call
      return true
    } catch (fault) {
      setError(sayFault(fault))
      return false
    } finally {
      setBusy(false)
    }
  }

  async function remove({ id }: Template) {
    if (await change(templates.remove(id)))
      setKnown((list) => list.filter((template) => template.id !== id))
  }

  return {
    known,
    busy,
    error,
    remove,
    save: (name: string, articleId: string) => change(templates.save(name, articleId)),
  }
}

function sayFault(fault: unknown): string {
  if (fault instanceof Refused) return refusalWords(fault.message)
  return fault instanceof NoAnswer
    ? 'You need a connection to change templates.'
    : 'Couldn’t change the templates.'
}
