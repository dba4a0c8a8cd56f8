import { Button, UnstyledButton } from '@mantine/core'
import { CircleCheck, FileSearch, type LucideIcon, TriangleAlert, Type } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Passage } from '../../../../domain/text/passages.ts'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import { useDates } from '../../../app/use-dates.ts'
import { PanelFoot, SidePanel } from '../panel/side-panel.tsx'
import reviewClasses from '../review/review-panel.module.css'
import { PassageWords, placeName } from '../review/review-panel.tsx'
import classes from './check-panel.module.css'
import type { ShownHandIn } from './hand-in-sheet.tsx'
import { moveToEntry } from './move-to-entry.ts'
import { type CheckedFile, type Given, useCheckedFile } from './use-checked-file.ts'
import { useHandInText } from './use-hand-in-text.ts'
import { type VerdictWords, verdictWords } from './verdict-words.ts'

type CheckPanelProps = {
  articleId: string
  handIn: HandIn
  others: readonly HandIn[]
  show: (shown: ShownHandIn | null) => void
  back: () => void
}

/** Compares a file or pasted text with what was handed in, in the browser alone. */
export function CheckPanel({ articleId, handIn, others, show, back }: CheckPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const [given, setGiven] = useState<Given | null>(null)
  const read = useHandInText(articleId, handIn)
  const checked = useCheckedFile(given, handIn, others, read)
  const take = (next: Given | null) => {
    show(null)
    setGiven(next)
  }
  usePaste(take)
  useEffect(() => panel.current?.querySelector('button')?.focus(), [])
  const drop = useDrop(take)

  return (
    <SidePanel
      ref={panel}
      title="Check a file"
      intro="The file is compared with the text that was handed in. It stays on this computer."
      back="Back to the receipt"
      onBack={back}
      onKeyDown={(event: KeyboardEvent) => moveToEntry(event, panel.current)}
    >
      <div className={classes.scroller} {...drop.handlers}>
        {given === null ? (
          <Chooser take={take} isOver={drop.isOver} />
        ) : (
          <>
            <div className={classes.file}>
              <FileSearch size={20} strokeWidth={1.5} aria-hidden />
              <p>
                <b dir="auto">{given.name ?? 'Pasted text'}</b>
                {checked?.outcome.kind === 'text' && (
                  <>
                    <br />
                    Checked against hand-in {handIn.number}
                  </>
                )}
              </p>
            </div>
            {checked ? (
              <Result key={handIn.number} {...{ checked, handIn, show }} />
            ) : (
              <p className={classes.pending} role="status">
                Loading…
              </p>
            )}
          </>
        )}
      </div>
      {given !== null && (
        <PanelFoot>
          <Button variant="default" onClick={() => take(null)}>
            Check another file
          </Button>
        </PanelFoot>
      )}
    </SidePanel>
  )
}

type Take = (given: Given) => void

const givenFile = (file: File | undefined): Given | null =>
  file ? { name: file.name, file } : null

function givenBy(data: DataTransfer | null): Given | null {
  const file = givenFile(data?.files[0])
  if (file || !data) return file
  const [html, text] = [data.getData('text/html'), data.getData('text/plain')]
  return html || text ? { name: null, html, text } : null
}

/** Anywhere on the page but in a text that is being written. */
function usePaste(take: Take): void {
  const handler = useRef<(event: ClipboardEvent) => void>(null)
  handler.current = (event) => {
    const { target } = event
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input')))
      return
    const given = givenBy(event.clipboardData)
    if (!given) return
    event.preventDefault()
    take(given)
  }
  useEffect(() => {
    const listen = (event: ClipboardEvent) => handler.current?.(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}

function useDrop(take: Take) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        const given = givenBy(event.dataTransfer)
        if (given) take(given)
      },
    },
  }
}

/** What the file dialog offers. */
const ENDINGS = '.docx,.html,.htm,.md,.markdown,.txt'

function Chooser({ take, isOver }: { take: Take; isOver: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed is gone.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus()
  }, [])
  return (
    <div className={classes.place} data-over={isOver}>
      <FileSearch size={22} strokeWidth={1.5} aria-hidden />
      <p>Drop a file here, or paste the text</p>
      <p className={classes.kinds}>.docx, .html, .md or .txt</p>
      <Button ref={button} variant="default" size="xs" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={ENDINGS}
        onChange={({ currentTarget }) => {
          const given = givenFile(currentTarget.files?.[0])
          // The same file can be chosen again.
          currentTarget.value = ''
          if (given) take(given)
        }}
      />
    </div>
  )
}

const ICONS: Record<VerdictWords['tone'], LucideIcon> = {
  ok: CircleCheck,
  info: Type,
  warn: TriangleAlert,
  error: TriangleAlert,
}

type ResultProps = Pick<CheckPanelProps, 'handIn' | 'show'> & { checked: CheckedFile }

function Result({ checked: { outcome, text }, handIn, show }: ResultProps) {
  const verdict = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const dates = useDates()
  const { tone, title, line } = verdictWords(outcome, handIn.number, dates)
  const Icon = ICONS[tone]
  const passages =
    outcome.kind === 'text' && outcome.verdict.kind === 'passages' ? outcome.verdict.passages : []
  const isComparable =
    outcome.kind === 'text' && ['passages', 'same-words'].includes(outcome.verdict.kind)

  useEffect(() => {
    verdict.current?.focus()
  }, [])
  const first = passages[0]
  useEffect(() => {
    if (isComparable && text)
      show({ handIn, compares: true, file: text, ...(first && { passage: first }) })
  }, [isComparable, text, handIn, first, show])

  function select(index: number, passage: Passage) {
    setCurrent(index)
    if (text) show({ handIn, compares: true, file: text, passage: { ...passage } })
  }

  return (
    <>
      <div ref={verdict} className={classes.verdict} data-tone={tone} role="status" tabIndex={-1}>
        <Icon size={18} strokeWidth={1.6} aria-hidden />
        <p>
          <b>{title}</b>
          {line !== '' && <br />}
          {line}
        </p>
      </div>
      <ul className={classes.passages}>
        {passages.map((passage, index) => (
          <li
            key={`${passage.from} ${passage.newFrom}`}
            className={reviewClasses.entry}
            data-current={index === current}
          >
            <UnstyledButton
              className={reviewClasses.select}
              data-entry
              aria-current={index === current}
              onClick={() => select(index, passage)}
            >
              <span className={reviewClasses.section} dir="auto">
                {placeName(passage)}
              </span>
              <span className={reviewClasses.who}>
                {index + 1} of {passages.length}
              </span>
              <PassageWords passage={passage} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  )
}
