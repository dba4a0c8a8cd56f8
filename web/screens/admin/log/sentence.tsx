import { UnstyledButton } from '@mantine/core'
import {
  Building2,
  CalendarDays,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  FilePlus,
  GitMerge,
  History,
  Inbox,
  KeyRound,
  ListPlus,
  type LucideIcon,
  PenLine,
  RotateCcw,
  Server,
  Trash2,
  Undo,
  UserMinus,
  UserPen,
  UserPlus,
} from 'lucide-react'
import { agencySentence, listSentence, plainSentence } from '../../../../domain/log-words.ts'
import type { LogAction, LogEntry, LogList } from '../../../../domain/wire/log.ts'
import { articlePath } from '../../../app/paths.ts'
import { useDates } from '../../../app/use-dates.ts'
import classes from './log-screen.module.css'

/** What happened, after the name of the person: the article in it is a link. */
export function Sentence({ entry, now }: { entry: LogEntry; now: number }) {
  const { timeOf, dayName } = useDates()
  const times = { timeOf: (at: string) => timeOf(at, now), dayName }
  const { before, subject, after } = agencySentence(entry, times)
  const Icon = iconOf(entry)
  return (
    <span className={classes.what} title={plainSentence(entry, times)}>
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classes.sentence}>
        {before} <Subject entry={entry} subject={subject} />
        {after}
      </span>
    </span>
  )
}

type ListSentenceProps = { list: LogList; isOpen: boolean; onToggle: () => void }

/** What a list did; its articles are the next lines while it is unfolded. */
export function ListSentence({ list, isOpen, onToggle }: ListSentenceProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const text = listSentence(list)
  return (
    <UnstyledButton
      className={`${classes.what} ${classes.fold}`}
      aria-expanded={isOpen}
      title={text}
      onClick={onToggle}
    >
      <Chevron size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classes.sentence}>{text}</span>
    </UnstyledButton>
  )
}

function Subject({ entry, subject }: { entry: LogEntry; subject: string }) {
  const { id, name, gone } = entry.subject
  if (name === null || !entry.action.startsWith('article.')) return subject
  if (gone) return `‘${subject}’`
  return (
    <a className={classes.article} href={articlePath(id)} target="_blank" rel="noopener">
      {subject}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

const ICONS: Record<LogAction, LucideIcon> = {
  'article.created': FilePlus,
  'article.changed': PenLine,
  'article.planned': CalendarDays,
  'article.completed': CircleCheck,
  'article.reopened': RotateCcw,
  'article.text-restored': History,
  'article.merged': GitMerge,
  'article.deleted': Trash2,
  'article.restored': Undo,
  'client.created': Building2,
  'client.changed': Building2,
  'client.deleted': Trash2,
  'user.created': UserPlus,
  'user.changed': UserPen,
  'user.invited': UserPlus,
  'user.signed-out': UserMinus,
  'user.second-step-used': KeyRound,
  'user.second-step-added': KeyRound,
  'user.second-step-removed': KeyRound,
  'user.recovery-codes-made': KeyRound,
  'user.deleted': UserMinus,
  'program-token.created': KeyRound,
  'program-token.revoked': KeyRound,
  'program-token.taken-over': KeyRound,
  'template.saved': PenLine,
  'template.deleted': Trash2,
  'undelivered-text.done': Inbox,
  'undelivered-text.reopened': Inbox,
  'server.new-epoch': Server,
  'server.new-pepper': Server,
  'server.new-receipt-key': Server,
}

function iconOf({ action, changed = [] }: LogEntry): LucideIcon {
  if (action !== 'article.changed' || changed.length !== 1) return ICONS[action]
  if (changed[0] === 'keywordList') return ListPlus
  return changed[0] === 'clientId' ? Building2 : PenLine
}
