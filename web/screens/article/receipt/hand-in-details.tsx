import { UnstyledButton } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { countEntities } from '../../../../domain/keywords/keyword.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { HandIn, Receipt } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleNote } from '../../../../domain/wire/notes.ts'
import type { UnsentNote } from '../../../../sync/status/article-record.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useDates } from '../../../app/use-dates.ts'
import { copyText } from '../../../ui/buttons/copy-text.ts'
import { Moon } from '../../../ui/moon/moon.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { handedInText } from '../../../ui/words/minimum-text.ts'
import type { ShownHandIn } from './hand-in-sheet.tsx'
import { fingerprintLines, nameOf } from './hand-in-words.ts'
import { openNotesIn } from './open-notes-in.ts'
import { changedSince, writersOf } from './receipt-authors.ts'
import classes from './receipt-panel.module.css'

type HandInDetailsProps = {
  handIn: HandIn
  /** The server was restored from a backup without it. */
  isLost: boolean
  notes: readonly ArticleNote[]
  unsent: readonly UnsentNote[]
  show: (shown: ShownHandIn) => void
  /** Asks for the reason of the reopening; null where that is not possible, or is done. */
  addReason?: (() => void) | null
  /** Shows how the text was written; null where that is not offered. */
  showWritten: (() => void) | null
  /** The button for it, where the focus comes back to it. */
  writtenRef: Ref<HTMLButtonElement> | null
  /** Further actions, in the row of the others. */
  children?: ReactNode
}

/** What the agency's server said of a hand-in, and what became of it. */
export function HandInDetails(props: HandInDetailsProps) {
  const { handIn, isLost, notes, unsent, show, addReason, showWritten, writtenRef, children } =
    props
  const { receipt, reopened } = handIn
  const dates = useDates()
  return (
    <>
      {isLost && (
        <p className={classes.block}>
          This receipt was issued before the agency’s server was restored. The server no longer has
          it.
        </p>
      )}
      {reopened && (
        <div className={classes.block}>
          <p>
            <b>Reopened by {nameOf(reopened.by)}</b>
            <br />
            {dates.dateTime(reopened.at)}
          </p>
          {notes.map((note) => (
            <Note key={note.id} by={note.author.name} at={note.createdAt} body={note.body} />
          ))}
          {unsent.map(({ seq, body, at, refusal }) => (
            <Note key={seq} by="You" at={new Date(at).toISOString()} body={body}>
              <p className={classes.unsent}>
                {refusal === null
                  ? 'On this computer, not sent yet'
                  : `Couldn’t be sent. ${refusal}`}
              </p>
            </Note>
          ))}
          {addReason && (
            <div className={classes.actions}>
              <UnstyledButton className={classes.action} onClick={addReason}>
                Add a reason
              </UnstyledButton>
            </div>
          )}
        </div>
      )}
      {receipt && <Facts receipt={receipt} />}
      <div className={classes.block}>
        {receipt && <Fingerprint receipt={receipt} />}
        <div className={classes.actions}>
          <UnstyledButton
            className={classes.action}
            onClick={() => show({ handIn, compares: false })}
          >
            Show this text
          </UnstyledButton>
          <UnstyledButton
            className={classes.action}
            onClick={() => show({ handIn, compares: true })}
          >
            Compare with current
          </UnstyledButton>
          {showWritten && (
            <UnstyledButton ref={writtenRef} className={classes.action} onClick={showWritten}>
              How this text was written
            </UnstyledButton>
          )}
          {children}
        </div>
      </div>
    </>
  )
}

type NoteProps = { by: string; at: string; body: string; children?: ReactNode }

function Note({ by, at, body, children }: NoteProps) {
  const { dateTime } = useDates()
  return (
    <div className={classes.note}>
      <p className={classes.words} dir="auto">
        {body}
      </p>
      <p>
        {by}, {dateTime(at)}
      </p>
      {children}
    </div>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { words, wordMinimum, groups } = receipt
  const openNotes = openNotesIn(receipt)
  const warns = minimumVerdict(words, wordMinimum) === 'warning'
  const tone = warns ? 'warn' : 'full'
  return (
    <>
      <div className={`${classes.block} ${classes.count}`}>
        <Moon size={40} k={moonPhase(words, wordMinimum)} tone={tone} checked={!warns} />
        <p>
          <span className={classes.figure} data-tone={tone}>
            <span>{figure(words)}</span> {words === 1 ? 'word' : 'words'}
          </span>
          <br />
          {handedInText(words, wordMinimum)}
          {openNotes !== null && (
            <>
              <br />
              {openNotes}
            </>
          )}
        </p>
      </div>
      {countEntities(groups) > 0 ? (
        <ul className={`${classes.block} ${classes.groups}`}>
          {groups.map((group) => (
            <Group key={group.category} group={group} />
          ))}
        </ul>
      ) : (
        <p className={classes.block}>No entities</p>
      )}
      <Authors receipt={receipt} />
    </>
  )
}

function Authors({ receipt }: { receipt: Receipt }) {
  const [writers, since] = [writersOf(receipt), changedSince(receipt)]
  if (writers.length === 0 && since === null) return null
  return (
    <div className={classes.block}>
      {writers.length > 0 && (
        <p>
          <b>Written by</b>
          <br />
          {enumerated(writers)}
        </p>
      )}
      {since && (
        <p>
          Since hand-in {receipt.number - 1}: {enumerated(since) || 'no changes'}
        </p>
      )}
    </div>
  )
}

const NAMED_MAX = 5

function Group({ group: { category, used, total, unused } }: { group: Receipt['groups'][number] }) {
  const [isWhole, setWhole] = useState(false)
  const named = isWhole ? unused : unused.slice(0, NAMED_MAX)
  const rest = total - used - named.length
  return (
    <li>
      <span className={classes.group}>
        {category}
        <span>
          {used}/{total}
        </span>
      </span>
      {named.length > 0 && (
        <span>
          Not used: <span dir="auto">{named.join(', ')}</span>
          {rest > 0 && ' '}
          {rest > 0 &&
            (named.length < unused.length ? (
              <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
                and {rest} more
              </UnstyledButton>
            ) : (
              `and ${rest} more`
            ))}
        </span>
      )}
    </li>
  )
}

function Fingerprint({ receipt: { textHash } }: { receipt: Receipt }) {
  const { agencyName } = useApp().names
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await notices.attempt('Article Error', () => copyText(() => textHash))
    setCopied(true)
  }
  return (
    <>
      <b>Fingerprint of the text</b>
      <div className={classes.fingerprint}>
        <code>{fingerprintLines(textHash).join('\n')}</code>
        <UnstyledButton
          className={classes.copy}
          aria-label="Copy the fingerprint"
          onClick={() => void copy()}
          onBlur={() => setCopied(false)}
          onPointerLeave={() => setCopied(false)}
        >
          <Copy size={15} strokeWidth={1.7} aria-hidden />
        </UnstyledButton>
        <span role="status" className={isCopied ? classes.copied : 'visually-hidden'}>
          {isCopied && 'Copied'}
        </span>
      </div>
      <p className={classes.signed}>
        <Check size={15} strokeWidth={1.7} aria-hidden />
        Signed by {agencyName}
      </p>
    </>
  )
}
