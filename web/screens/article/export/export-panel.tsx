import { UnstyledButton } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { Check, Clipboard, CloudOff, Download, type LucideIcon, Printer } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import { htmlOfText } from '../../../../domain/exports/article-html.ts'
import { markdownOf } from '../../../../domain/exports/article-markdown.ts'
import { wordPressOf } from '../../../../domain/exports/article-wordpress.ts'
import { copiedText } from '../../../../domain/exports/copied-text.ts'
import { wordCount } from '../../../../domain/text/article-text.ts'
import type { ArticleText } from '../../../../domain/text/document.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { articleFile, FILE_FORMATS, type FileFormat } from '../../../exports/article-file.ts'
import { copyForms } from '../../../ui/buttons/copy-text.ts'
import { wordsOf } from '../../../ui/words/figure.ts'
import { exportFileName } from '../../../ui/words/file-name.ts'
import { type NotesStore, openCount } from '../notes/notes-state.ts'
import { ariaKeysOf, keysOf } from '../shortcuts/keys-of.ts'
import type { ExportButtonProps } from './export-button.tsx'
import classes from './export-panel.module.css'
import { type ExportText, type Source, useExportText } from './use-export-text.ts'

type ExportPanelProps = ExportButtonProps & { readEditedAt: () => number; close: () => void }
/** Which text it is, and the forms in which it can be taken along. At first the one that the screen shows. */
export function ExportPanel(props: ExportPanelProps) {
  const { view, versions, notes, close } = props
  const { source, setSource, handIn, text } = useExportText(props)
  return (
    <>
      <Head text={text}>
        <Choice
          {...{ source, setSource }}
          handIn={handIn?.number ?? null}
          hasVersion={versions.selected !== null}
          openVersions={() => {
            close()
            versions.open()
          }}
        />
      </Head>
      <Items name={view.name} shown={text} {...{ notes, close }} />
    </>
  )
}

const ICONS: Record<ExportText['tone'], LucideIcon | null> = {
  lamp: CloudOff,
  same: Check,
  plain: null,
}

function Head({ text: shown, children }: { text: ExportText; children: ReactNode }) {
  const { title, line, tone, text } = shown
  const Icon = ICONS[tone]
  const isEmpty = text !== null && wordCount(text) === 0
  return (
    <div className={classes.head}>
      <div role="status">
        <p className={classes.title}>{title}</p>
        <p className={classes.line} data-tone={tone}>
          {Icon && <Icon size={15} strokeWidth={1.7} aria-hidden />}
          {line}
        </p>
        {isEmpty && <p className={classes.line}>This article has no text yet.</p>}
        {text === null && (
          <p className={classes.line}>
            {shown.isComing ? 'Loading…' : 'You need a connection for this text.'}
          </p>
        )}
      </div>
      {children}
    </div>
  )
}

type ChoiceProps = {
  source: Source
  setSource: (source: Source) => void
  /** Null where there is none. */
  handIn: number | null
  /** A version is shown, so it can be exported. */
  hasVersion: boolean
  openVersions: () => void
}

/** Choosing another version is done where they can be read, so that is a button and no choice. */
function Choice({ source, setSource, handIn, hasVersion, openVersions }: ChoiceProps) {
  const name = useId()
  const choices: [Source, string][] = [
    ['current', 'Current'],
    ...(handIn === null ? [] : [['hand-in', `Hand-in ${handIn}`] as [Source, string]]),
    ...(hasVersion ? [['version', 'This version'] as [Source, string]] : []),
  ]
  return (
    <div role="radiogroup" aria-label="Text to export" className={classes.choice}>
      {choices.map(([value, label]) => (
        <label key={value} className={classes.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={source === value}
            onChange={() => setSource(value)}
          />
          {label}
        </label>
      ))}
      {!hasVersion && (
        <UnstyledButton className={classes.option} onClick={openVersions}>
          A version…
        </UnstyledButton>
      )}
    </div>
  )
}

type Copy = { name: string; done: string; forms: (text: ArticleText) => Record<string, string> }

const clean = (text: ArticleText) => htmlOfText(text, { withDirections: false })

const COPIES: readonly Copy[] = [
  {
    name: 'Copy with formatting',
    done: 'Copied with formatting',
    forms: (text) => ({ 'text/html': clean(text), 'text/plain': copiedText(text) }),
  },
  {
    name: 'Copy for WordPress',
    done: 'Copied for WordPress',
    // Its block editor reads the markup of blocks in plain text, its older one HTML.
    forms: (text) => ({ 'text/html': clean(text), 'text/plain': wordPressOf(text) }),
  },
  {
    name: 'Copy as Markdown',
    done: 'Copied as Markdown',
    forms: (text) => ({ 'text/plain': markdownOf(text) }),
  },
]

const EXPORTED = { subject: 'export' }

type ItemsProps = { name: string; shown: ExportText; notes: NotesStore; close: () => void }

function Items({ name, shown, notes, close }: ItemsProps) {
  const { saveFile } = useApp()
  const mac = useOs() === 'macos'
  const { text, from, fileKind } = shown
  const open = useStore(notes, openCount)

  async function copy({ done, forms }: Copy) {
    if (text === null) return
    close()
    try {
      await copyForms(forms(text))
      notices.success(done, `${from}, ${wordsOf(wordCount(text))}.`, EXPORTED)
    } catch {
      notices.error('Couldn’t copy', 'Your browser did not allow it.', EXPORTED)
    }
  }

  function save(format: FileFormat) {
    if (text === null) return
    close()
    const file = exportFileName(name, fileKind, format)
    saveFile(file, articleFile(format, name, text))
    notices.success('Saved', file, EXPORTED)
  }

  function print(isPrinted: boolean) {
    close()
    // The browser prints the page as it is now.
    flushSync(() => notes.setState({ isPrinted }))
    window.print()
  }

  return (
    <div
      role="menu"
      aria-label="Export"
      className={classes.items}
      onKeyDown={(event) => moveInMenu(event, close)}
    >
      <div className={classes.group}>
        {COPIES.map((each, at) => (
          <Item
            key={each.name}
            icon={Clipboard}
            isFirst={at === 0}
            isIdle={text === null}
            onClick={() => void copy(each)}
          >
            {each.name}
          </Item>
        ))}
      </div>
      <div className={classes.group}>
        {FILE_FORMATS.map(({ ending, name: format }) => (
          <Item
            key={ending}
            icon={Download}
            isIdle={text === null}
            note={`.${ending}`}
            onClick={() => save(ending)}
          >
            Save as {format}
          </Item>
        ))}
      </div>
      {shown.isOnScreen && (
        <div className={classes.group}>
          <Item
            icon={Printer}
            note={keysOf('Mod+P', mac).replace('⌘+', '⌘')}
            keys={ariaKeysOf('Mod+P', mac)}
            onClick={() => print(false)}
          >
            Print or save as PDF
          </Item>
          {open > 0 && (
            <Item icon={Printer} onClick={() => print(true)}>
              Print with notes
            </Item>
          )}
        </div>
      )}
    </div>
  )
}

type ItemProps = {
  icon: LucideIcon
  isFirst?: boolean
  isIdle?: boolean
  /** At the right, dimmed. */
  note?: string
  /** What it is pressed by from anywhere. */
  keys?: string
  onClick: () => void
  children: ReactNode
}

function Item({ icon: Icon, isFirst = false, isIdle = false, note, keys, ...item }: ItemProps) {
  return (
    <UnstyledButton
      role="menuitem"
      tabIndex={-1}
      ref={isFirst ? focusFirst : null}
      className={classes.item}
      aria-disabled={isIdle}
      aria-keyshortcuts={keys}
      onClick={isIdle ? undefined : item.onClick}
    >
      <Icon size={16} strokeWidth={1.6} aria-hidden />
      <span>{item.children}</span>
      {note && (
        <span className={classes.note} aria-hidden={keys !== undefined}>
          {note}
        </span>
      )}
    </UnstyledButton>
  )
}

const focusFirst: Ref<HTMLButtonElement> = (item) => item?.focus({ preventScroll: true })

/** The choice of the text is before the items, so Tab leaves and Shift+Tab goes there. */
function moveInMenu(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  if (event.key === 'Tab' && !event.shiftKey) {
    close()
    return
  }
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const now = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}
