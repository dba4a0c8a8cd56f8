import { KEYWORD_CATEGORIES } from '../../../../domain/keywords/keyword.ts'
import type { CellFault, CellReason } from '../../../../domain/lists/article-list-cells.ts'
import { LIST_FIELDS } from '../../../../domain/lists/article-list-fields.ts'
import { enumerated } from '../../../../domain/names/enumerated.ts'
import { caseless } from '../../../../domain/names/same-name.ts'
import type { ListedFault, ListedOutcome } from '../../../../domain/wire/article-lists.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { shortened } from '../../../ui/words/shortened.ts'
import type { Counts, Entry, Group, UnknownClient } from './check-entries.ts'

/** What would happen to the articles of a list, in words. */

export const GROUP_NAMES: Record<Group, string> = {
  cannot: 'Cannot',
  changed: 'Changed',
  new: 'New',
  same: 'As it is',
}

export type Tone = 'cannot' | 'loses' | 'changed' | 'new' | 'same'
export type Happening = { text: string; tone: Tone }

/** '28 Nov' of a calendar day, `YYYY-MM-DD`. */
type NameDay = (day: string) => string

export function happeningOf(entry: Entry, nameDay: NameDay): Happening {
  const { outcome } = entry
  const why = whyLeftOut(entry)
  if (outcome === null || why !== null) return { text: `Left out: ${why}`, tone: 'cannot' }
  const { state, headings, changes } = outcome
  if (state === 'same') return { text: 'Nothing changes', tone: 'same' }
  if (state === 'new') {
    const text = headings > 0 ? `Created, with ${counted(headings, 'heading')}` : 'Created'
    return { text, tone: 'new' }
  }
  const list = changesOf(changes, nameDay)
  const going = changes.entities?.usedRemovedCount ?? 0
  const [only] = list
  if (going > 0) {
    const used = going === 1 ? '1 used entity' : `${figure(going)} used entities`
    return { text: `${counted(list.length, 'change')}; ${used} would go`, tone: 'loses' }
  }
  const text = list.length === 1 && only ? only.short : counted(list.length, 'change')
  return { text, tone: 'changed' }
}

/** Null where the article is not left out. */
function whyLeftOut({ read, outcome }: Entry): string | null {
  if (outcome === null) return `${counted(cellsToFix(read.faults), 'cell')} to fix`
  if (outcome.state !== 'cannot') return null
  return outcome.fault === null ? null : FAULTS[outcome.fault]
}

const FAULTS: Record<ListedFault, string> = {
  unclear: 'several have this name',
  repeated: 'it is in the list twice',
  'no-template': 'no template has this name',
}

/** All cells that have to be corrected, those with the same mistake each counted. */
const cellsToFix = (faults: readonly CellFault[]): number =>
  faults.reduce((total, { also }) => total + 1 + also.length, 0)

type Change = {
  /** 'Due date, was 28 Nov' */
  short: string
  /** 'Minimum 700 → 900' */
  line: string
}

/** What differs, in the order of the columns. */
function changesOf(changes: ListedOutcome['changes'], nameDay: NameDay): Change[] {
  const { client, wordMinimum, dueOn, brief, entities } = changes
  const was = (what: string, before: string, now: string, label = what): Change => ({
    short: `${what}, was ${before}`,
    line: `${label} ${before} → ${now}`,
  })
  const day = (value: string | null) => (value === null ? 'none' : nameDay(value))
  const list: Change[] = []
  if (client) list.push(was('Client', client.before ?? 'none', client.now ?? 'none'))
  if (wordMinimum) list.push(was('Minimum', figure(wordMinimum.before), figure(wordMinimum.now)))
  if (dueOn) list.push(was('Due date', day(dueOn.before), day(dueOn.now), 'Due'))
  if (brief) list.push({ short: 'Brief', line: 'A new brief' })
  if (entities) {
    const moved = `${figure(entities.added)} added, ${figure(entities.removed)} taken out`
    const line = `Entities ${figure(entities.before)} → ${figure(entities.now)}: ${moved}`
    list.push({ short: `Entities: ${moved}`, line })
  }
  return list
}

/** When the article is due after the run; null without a date. */
export const dueDay = ({ outcome }: Entry): string | null => outcome?.dueOn ?? null

/** What is said beside the date that the list gives an article; null for one that needs no look. */
export function dueRemark(entry: Entry, today: string): string | null {
  const day = dueDay(entry)
  if (day === null || day >= today) return null
  return entry.outcome?.state === 'new' || entry.outcome?.changes.dueOn ? 'in the past' : null
}

/** What an unfolded row says, for articles without faults. */
export function detailLines({ read, outcome }: Entry, nameDay: NameDay): string[] {
  const lines = outcome ? changesOf(outcome.changes, nameDay).map(({ line }) => line) : []
  const { usedRemoved = [], usedRemovedCount = 0 } = outcome?.changes.entities ?? {}
  if (usedRemovedCount > 0) {
    const more = usedRemovedCount - usedRemoved.length
    const names = more > 0 ? [...usedRemoved, `${figure(more)} more`] : usedRemoved
    lines.push(`Used by the writer and would go: ${names.join(', ')}`)
  }
  if (outcome?.state === 'new') lines.push(...contentLines(read))
  return [...lines, `${rowsText(read.rows)} of the list`]
}

const BRIEF_SHOWN = 200

function contentLines({ article }: Entry['read']): string[] {
  const { brief, outline = [], keywordList = [], template } = article ?? {}
  const lines: string[] = []
  if (template !== undefined) lines.push(`Starts from the template ‘${template}’`)
  if (outline.length > 0) lines.push(`Headings: ${outline.map(({ text }) => text).join(' · ')}`)
  if (brief) lines.push(`Brief: ${shortened(brief.replace(/\s+/g, ' '), BRIEF_SHOWN)}`)
  if (keywordList.length > 0) {
    const parts = KEYWORD_CATEGORIES.map((category) => {
      const count = keywordList.filter((keyword) => keyword.category === category).length
      return `${figure(count)} ${category}`
    })
    lines.push(`Entities: ${parts.join(' · ')}`)
  }
  return lines
}

/** 'Row 2', 'Rows 2 to 53', 'Rows 2, 9 and 12 more' */
export function rowsText(rows: readonly number[]): string {
  const [first = 0, second] = rows
  const last = rows.at(-1) ?? first
  if (second === undefined) return `Row ${figure(first)}`
  if (last - first === rows.length - 1) return `Rows ${figure(first)} to ${figure(last)}`
  const shown = rows.slice(0, 2).map(figure)
  const more = rows.length - shown.length
  return `Rows ${enumerated(more > 0 ? [...shown, `${figure(more)} more`] : shown)}`
}

export type FaultLine = {
  /** 'Row 214, C' */
  place: string
  /** The label of the column in the list, or else the name of the field. */
  label: string
  /** ‘about 900’, or empty. */
  value: string
  /** Continues from the value. */
  is: string
}

const VALUE_SHOWN = 20

export function faultLine(fault: CellFault): FaultLine {
  const { row, also, column, field, label, value, reason } = fault
  const short = shortened(value, VALUE_SHOWN)
  const named = LIST_FIELDS.find(({ key }) => key === field)?.label ?? ''
  return {
    place: `${rowsText([row, ...also])}, ${column}`,
    label: label === '' ? named : label,
    value: short === '' ? '' : `‘${short}’`,
    is: reasonText(reason, field),
  }
}

function reasonText(reason: CellReason, field: CellFault['field']): string {
  switch (reason.kind) {
    case 'empty':
      return 'is empty.'
    case 'not-a-number':
      return 'is not a whole number.'
    case 'too-large':
      return `is more than ${figure(reason.limit)}.`
    case 'not-a-day':
      return 'is not a date.'
    case 'too-long':
      return `is ${figure(reason.length)} characters long; the limit is ${figure(reason.limit)}.`
    case 'too-many':
      return `has ${figure(reason.count)} headings; the limit is ${figure(reason.limit)}.`
    case 'differs':
      return field === 'client'
        ? `names another client than row ${figure(reason.row)}.`
        : `differs from row ${figure(reason.row)}.`
    case 'shifted':
      return 'is in a row with shifted columns.'
    case 'uneven':
      return `has ${counted(reason.count, 'value')} for ${counted(reason.keywords, 'keyword')}.`
  }
}

/** 'Create 31 and change 6'; null when nothing would change. */
export function runLabel({ new: created, changed }: Counts): string | null {
  const parts = [
    ...(created > 0 ? [`create ${figure(created)}`] : []),
    ...(changed > 0 ? [`change ${figure(changed)}`] : []),
  ]
  if (parts.length === 0) return null
  const label = parts.join(' and ')
  return `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`
}

export function barText(counts: Counts): string {
  if (runLabel(counts) === null) return 'Nothing would change.'
  const { cannot } = counts
  if (cannot === 0) return 'Nothing is saved yet.'
  return `${cannot === 1 ? '1 article is' : `${figure(cannot)} articles are`} left out. The rest can go ahead.`
}

/** Said when a check arrived. */
export function checkedText({ new: created, changed, same, cannot }: Counts): string {
  const asTheyAre = same === 1 ? '1 as it is' : `${figure(same)} as they are`
  return `Checked: ${figure(created)} new, ${figure(changed)} changed, ${asTheyAre}, ${figure(cannot)} cannot be done.`
}

/** Why it is to be decided which client is meant. */
export function unknownText({ name, near }: Pick<UnknownClient, 'name' | 'near'>): string {
  const isShared = near.length > 1 && near.every((other) => caseless(other.name) === caseless(name))
  return isShared ? `Several clients are called ‘${name}’` : `‘${name}’ is not a client yet`
}

/** `count`: how many outcomes are other ones; none where writers saved texts that make no difference to the list. */
export function staleText(count: number): string {
  if (count === 0)
    return 'Articles of the list were saved since the check, and it is still the same. Nothing was done yet.'
  const these = count === 1 ? '1 of these articles' : `${figure(count)} of these articles`
  return `Somebody changed ${these} meanwhile. This is the new check; nothing was done.`
}

/** `done` is said in bold. Of those left out one is named, by its row where it has no name. */
export function resultText(
  entries: readonly Entry[],
  counts: Counts,
): { done: string; rest: string } {
  const { new: created, changed, same, cannot } = counts
  const done = [
    ...(created > 0 ? [`${counted(created, 'article')} created`] : []),
    ...(changed > 0
      ? [created > 0 ? `${figure(changed)} changed` : `${counted(changed, 'article')} changed`]
      : []),
  ]
  const rest: string[] = []
  if (same > 0) rest.push(same === 1 ? '1 is as it was.' : `${figure(same)} are as they were.`)
  const left = entries.filter(({ outcome }) => outcome === null || outcome.state === 'cannot')
  const [only] = left
  if (cannot === 1 && only) {
    const { name, rows } = only.read
    const which = name === '' ? `row ${figure(rows[0] ?? 0)}` : `‘${name}’`
    rest.push(`1 was left out: ${which}, ${whyLeftOut(only)}.`)
  } else if (cannot > 1) {
    rest.push(`${figure(cannot)} were left out.`)
  }
  return { done: `${done.join(', ')}.`, rest: rest.join(' ') }
}
