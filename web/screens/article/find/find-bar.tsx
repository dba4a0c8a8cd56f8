import '@mantine/core/styles/ActionIcon.css'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { ALargeSmall, ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { notices } from '../../../app/notices.ts'
import { focusText } from '../editor/focus-text.ts'
import { useEditorState } from '../editor/use-editor.ts'
import classes from './find-bar.module.css'
import {
  findingOf,
  goOn,
  lookFor,
  replaceAll,
  replaceCurrent,
  selectCurrent,
  startFinding,
} from './find-plugin.ts'

type FindBarProps = {
  editor: Editor
  readOnly: boolean
  /** Counts how often it was asked for: 0 is closed, and each new asking leads into its first field. */
  turn: number
  onClose: () => void
}

/** Finds and replaces in the article, above its text. */
export function FindBar({ turn, ...props }: FindBarProps) {
  return turn > 0 && <OpenBar {...props} turn={turn} />
}

const LONGEST = 200
const ICON = { size: 16, strokeWidth: 1.7, 'aria-hidden': true } as const

function OpenBar({ editor, readOnly, turn, onClose }: FindBarProps) {
  const [text, setText] = useState(() => selectedText(editor))
  const [matchCase, setMatchCase] = useState(false)
  const [replacement, setReplacement] = useState('')
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => startFinding(editor), [editor])
  useEffect(() => lookFor(editor, { text, matchCase }), [editor, text, matchCase])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reopening the bar selects what was typed
  useEffect(() => field.current?.select(), [turn])

  const finding = useEditorState(editor, findingOf)
  const count = finding?.found.length ?? 0
  const current = finding?.current ?? -1

  function close() {
    selectCurrent(editor)
    onClose()
    focusText(editor)
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }

  function handleReplaceAll() {
    const many = replaceAll(editor, replacement)
    if (many > 0) notices.success('Replaced', many === 1 ? 'One place.' : `${many} places.`)
  }

  return (
    <search className={classes.bar} aria-label="Find in the article" onKeyDown={handleKeyDown}>
      <TextInput
        ref={field}
        aria-label="Find"
        placeholder="Find"
        maxLength={LONGEST}
        className={classes.field}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && goOn(editor, event.shiftKey ? -1 : 1)}
      />
      <span role="status" className={classes.count}>
        {text !== '' && (count === 0 ? 'Not found' : `${current + 1} of ${count}`)}
      </span>
      <Tool name="Match case" pressed={matchCase} onClick={() => setMatchCase(!matchCase)}>
        <ALargeSmall {...ICON} />
      </Tool>
      <Tool name="Previous" idle={count === 0} onClick={() => goOn(editor, -1)}>
        <ChevronUp {...ICON} />
      </Tool>
      <Tool name="Next" idle={count === 0} onClick={() => goOn(editor, 1)}>
        <ChevronDown {...ICON} />
      </Tool>
      {!readOnly && (
        <>
          <TextInput
            aria-label="Replace with"
            placeholder="Replace with"
            maxLength={LONGEST}
            className={classes.field}
            value={replacement}
            onChange={(event) => setReplacement(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && replaceCurrent(editor, replacement)}
          />
          <Button
            variant="default"
            size="xs"
            aria-disabled={count === 0}
            data-disabled={count === 0}
            onClick={() => replaceCurrent(editor, replacement)}
          >
            Replace
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-disabled={count === 0}
            data-disabled={count === 0}
            onClick={handleReplaceAll}
          >
            Replace all
          </Button>
        </>
      )}
      <Tool name="Close find" onClick={close}>
        <X {...ICON} />
      </Tool>
    </search>
  )
}

type ToolProps = {
  name: string
  pressed?: boolean
  idle?: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ name, pressed, idle, onClick, children }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      className={classes.tool ?? ''}
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      aria-disabled={idle || undefined}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}

/** What was marked is most often what is looked for. */
function selectedText({ state }: Editor): string {
  const { from, to } = state.selection
  const text = state.doc.textBetween(from, to, '\n')
  return text.includes('\n') ? '' : text.slice(0, LONGEST)
}
