import { Button, TextInput, UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { LINK_ADDRESS_MAX } from '../../../../domain/limits.ts'
import { readTypedAddress } from '../../../../domain/text/link-address.ts'
import { focusText } from './focus-text.ts'
import {
  type AskedLink,
  ask,
  askedLink,
  listenForLinks,
  removeLink,
  setLink,
} from './link-plugin.ts'
import classes from './link-tools.module.css'
import { printAddresses } from './printed-addresses.ts'
import { useEditorState } from './use-editor.ts'

type LinkToolsProps = { editor: Editor; readOnly: boolean }

/** The card and the field of links, above the words of the link. */
export function LinkTools({ editor, readOnly }: LinkToolsProps) {
  useEffect(() => listenForLinks(editor), [editor])
  useEffect(() => printAddresses(editor), [editor])
  const asked = useEditorState(editor, askedLink)
  if (!asked) return null
  const props = { editor, asked }
  return (
    <Above key={asked.kind} {...props} name={asked.kind === 'card' ? 'Link' : 'Set link'}>
      {(leave) =>
        asked.kind === 'card' ? (
          <Card {...props} {...{ readOnly, leave }} />
        ) : (
          <Field {...props} leave={leave} />
        )
      }
    </Above>
  )
}

type AskedProps = { editor: Editor; asked: AskedLink }

/** Distance to the words, and to the edges of the sheet, in pixels. */
const GAP = 8
const MARGIN = 12

type AboveProps = AskedProps & {
  name: string
  children: (leave: Leave) => ReactNode
}

/**
 * Closes the popover, returns the focus to the text, and then does what was chosen: a popover that closes moves the focus,
 * and with it the selection that an edit has just set.
 */
type Leave = (then?: () => void) => void

/** Above the first line of the words; below it where there is no room. A press elsewhere and Escape close it. */
function Above({ editor, asked, name, children }: AboveProps) {
  const box = useRef<HTMLDivElement>(null)
  const { from, to, isByKey } = asked
  useLayoutEffect(() => {
    const { current } = box
    current?.showPopover()
    return () => {
      if (current?.matches(':popover-open')) current.hidePopover()
    }
  }, [])
  useLayoutEffect(() => {
    const put = () => box.current && place(box.current, editor, { from, to })
    put()
    window.addEventListener('scroll', put, { capture: true, passive: true })
    window.addEventListener('resize', put)
    return () => {
      window.removeEventListener('scroll', put, { capture: true })
      window.removeEventListener('resize', put)
    }
  }, [editor, from, to])
  useEffect(() => {
    if (isByKey) box.current?.querySelector<HTMLElement>('a, input')?.focus()
  }, [isByKey])
  function leave(then?: () => void) {
    box.current?.hidePopover()
    // The next key may come before the editor has set its selection again, which it would then read from the page.
    if (editor.isEditable) editor.view.focus()
    else focusText(editor)
    if (then) then()
    else ask(editor, null)
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    leave()
  }
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={name}
      className={classes.box}
      onKeyDown={handleKeyDown}
      onToggle={(event) => {
        if (event.newState === 'closed' && askedLink(editor.state)?.kind === asked.kind)
          ask(editor, null)
      }}
    >
      {children(leave)}
    </div>
  )
}

type Range = Pick<AskedLink, 'from' | 'to'>

function place(box: HTMLElement, { view }: Editor, { from, to }: Range): void {
  if (view.isDestroyed) return
  const first = view.coordsAtPos(from, 1)
  const end = view.coordsAtPos(to, -1)
  const sheet = view.dom.parentElement?.parentElement?.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const [top, bottom] = [sheet?.top ?? 0, sheet?.bottom ?? window.innerHeight]
  const above = first.top - GAP - height
  const below = Math.min(end.bottom, bottom) + GAP
  const left = Math.min(first.left, (sheet?.right ?? window.innerWidth) - MARGIN - width)
  box.style.left = `${Math.max(left, (sheet?.left ?? 0) + MARGIN)}px`
  box.style.top = `${above >= top + MARGIN ? above : Math.max(top + MARGIN, below)}px`
}

type CardProps = AskedProps & { readOnly: boolean; leave: Leave }

function Card({ editor, asked, readOnly, leave }: CardProps) {
  const { href } = asked
  return (
    <div className={classes.card}>
      <p className={classes.address} dir="ltr">
        {href}
      </p>
      <div className={classes.actions}>
        <a
          className={classes.action}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => leave()}
        >
          Open in a new tab
        </a>
        {!readOnly && (
          <>
            <UnstyledButton
              className={classes.action ?? ''}
              onClick={() => ask(editor, { ...asked, kind: 'field', isByKey: true })}
            >
              Change
            </UnstyledButton>
            <UnstyledButton
              className={classes.action ?? ''}
              onClick={() => leave(() => removeLink(editor, asked))}
            >
              Remove
            </UnstyledButton>
          </>
        )}
      </div>
    </div>
  )
}

const REFUSED = 'Use a web or e-mail address (https:, http: or mailto:).'

function Field({ editor, asked, leave }: AskedProps & { leave: Leave }) {
  const [typed, setTyped] = useState(asked.href)
  const [isRefused, setRefused] = useState(false)

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    const text = typed.trim()
    const href = readTypedAddress(text)
    if (text !== '' && href === null) return setRefused(true)
    if (href !== null) leave(() => setLink(editor, asked, href, text))
    else if (asked.from < asked.to) leave(() => removeLink(editor, asked))
    else leave()
  }

  return (
    <form className={classes.field} onSubmit={handleSubmit} noValidate>
      <TextInput
        aria-label="Address"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        className={classes.input ?? ''}
        classNames={{ input: classes.letters ?? '' }}
        maxLength={2 * LINK_ADDRESS_MAX}
        value={typed}
        error={isRefused && REFUSED}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefused(false)
        }}
      />
      <Button type="submit" variant="default" className={classes.set ?? ''}>
        Set link
      </Button>
      {!isRefused && (
        <p className={classes.hint}>
          Enter sets the link. Empty the field to remove it. Esc leaves it as it was.
        </p>
      )}
    </form>
  )
}
