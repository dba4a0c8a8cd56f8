import { Button, Switch } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { Fetching } from '../../../../sync/history/server-revisions.ts'
import classes from './version-sheet.module.css'

type TextSheetProps = {
  ref?: Ref<HTMLElement>
  name: string
  /** 'the current version'; null when it is the same. */
  compareWith: string | null
  compares: boolean
  setCompares: (compares: boolean) => void
  /** One line below the bar. */
  legend: string
  actions: ReactNode
  onEscape?: () => void
  /** The text, or what is said in its place. */
  children: ReactNode
}

/** Another text over the sheet of the article. */
export function TextSheet(props: TextSheetProps) {
  const { name, compareWith, compares, setCompares, legend, actions, onEscape } = props
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from every control in it
    <div className={classes.sheet} onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}>
      <div className={classes.bar}>
        <strong className={classes.name} dir="auto">
          {name}
        </strong>
        {compareWith !== null && (
          <Switch
            label={`Compare with ${compareWith}`}
            checked={compares}
            onChange={(event) => setCompares(event.currentTarget.checked)}
          />
        )}
        {actions}
      </div>
      <p className={classes.line}>{legend}</p>
      <section
        ref={props.ref}
        className={classes.scroller}
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller without a control in it is reached by keyboard itself
        tabIndex={0}
      >
        {props.children}
      </section>
    </div>
  )
}

type MissingTextProps = {
  /** The result of the request; `gone` if a restored server no longer has the text, null while it is loading. */
  outcome: Fetching | { kind: 'gone' } | null
  tryAgain: () => void
}

/** Shown instead of a text that is not on this computer. */
export function MissingText({ outcome, tryAgain }: MissingTextProps) {
  if (outcome === null || outcome.kind === 'fetched')
    return <p className={classes.missing}>Loading…</p>
  if (outcome.kind === 'gone') {
    return (
      <p className={classes.missing} role="status">
        The agency’s server does not have this text any more.
      </p>
    )
  }
  return (
    <div className={classes.missing} role="status">
      <p>
        {outcome.kind === 'refused'
          ? `${outcome.message}.`
          : 'Only the server has this text. You can read it when you are back online.'}
      </p>
      <Button variant="default" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  )
}
