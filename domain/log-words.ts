import type { Dates } from './calendar/dates.ts'
import { enumerated } from './names/enumerated.ts'
import type { LogEntry, LogList, LogPeople } from './wire/log.ts'
import type { SecondStepMethod } from './wire/second-step.ts'

/** Writes entries of the log as sentences, with the given formats of times and days. */

type Named = { id: string; name: string | null }
type Times = Pick<Dates, 'dayName'> & { timeOf(at: string): string }

export const personName = ({ name }: { name: string | null }): string => name ?? 'A former user'

/** Who acted: an account, also one that is gone, or a command on the server. */
export const actorName = ({ by }: Pick<LogEntry, 'by'>): string =>
  by === null ? 'Server' : personName(by)

/** What happened, as readers of the article see it: usually one phrase, several where several settings changed. */
export function articlePhrases(entry: LogEntry, times: Times): string[] {
  switch (entry.action) {
    case 'article.created':
      return [entry.client ? `Created for ${clientName(entry.client)}` : 'Created']
    case 'article.completed':
      return ['Marked complete']
    case 'article.reopened':
      return ['Reopened']
    case 'article.text-restored':
      return [`Restored ${versionName(entry, times)}`]
    case 'article.merged':
      return [mergePhrase(entry)]
    case 'article.deleted':
      return ['Deleted']
    case 'article.restored':
      return ['Deletion undone']
    case 'article.planned':
      return planPhrases(entry, times)
    default:
      return settingPhrases(entry)
  }
}

function mergePhrase({ by, mergedWith }: LogEntry): string {
  if (!mergedWith) return 'Merged with other changes'
  return mergedWith.id === by?.id
    ? 'Merged with changes from another device'
    : `Merged with changes by ${personName(mergedWith)}`
}

function settingPhrases({ changed = [], ...entry }: LogEntry): string[] {
  const { entities, wordMinimum, formerName, client } = entry
  const has = (field: string) => changed.includes(field)
  return [
    ...(has('name') ? [formerName === undefined ? 'Renamed' : `Renamed from ‘${formerName}’`] : []),
    ...(has('clientId') ? [client ? `Moved to ${clientName(client)}` : 'Client removed'] : []),
    ...(has('wordMinimum')
      ? [
          wordMinimum
            ? `Minimum changed from ${count(wordMinimum.before)} to ${wordsOf(wordMinimum.now)}`
            : 'Minimum changed',
        ]
      : []),
    ...(has('keywordList')
      ? [
          entities
            ? `Entities replaced: ${count(entities.added)} added, ${count(entities.removed)} removed`
            : 'Entities replaced',
        ]
      : []),
  ]
}

function planPhrases({ changed = [], dueOn }: LogEntry, { dayName }: Times): string[] {
  return [
    ...(dueOn
      ? [dueOn.now === null ? 'Due date removed' : `Due date set to ${dayName(dueOn.now, null)}`]
      : []),
    ...(changed.includes('brief') ? ['Brief changed'] : []),
  ]
}

/** A sentence that begins after the person. `subject` is what it is about, with its name of that moment. */
export type LogSentence = { before: string; subject: string; after: string }

/** What happened, as admins see it: ‘completed {article}, hand-in 1’. */
export function agencySentence(entry: LogEntry, times: Times): LogSentence {
  const { action, by } = entry
  const subject = subjectName(entry)
  const about = (before: string, after = ''): LogSentence => ({ before, subject, after })
  switch (action) {
    case 'article.created':
      return about('created', entry.client ? ` for ${clientName(entry.client)}` : '')
    case 'article.completed':
      return about('completed', entry.handIn === undefined ? '' : `, hand-in ${entry.handIn}`)
    case 'article.reopened':
      return about('reopened')
    case 'article.text-restored':
      return about(`restored ${versionName(entry, times)} of`)
    case 'article.merged':
      return about('edited', mergeEnding(entry))
    case 'article.deleted':
      return about('deleted')
    case 'article.restored':
      return about('undid the deletion of')
    case 'article.changed':
      return articleChange(entry, about)
    case 'article.planned':
      return planChange(entry, about, times)
    case 'client.created':
      return about('added the client')
    case 'client.changed':
      return about('changed the client', listed(clientChanges(entry)))
    case 'client.deleted':
      return about('deleted the client')
    case 'user.created':
      return by?.id === entry.subject.id ? nothing('registered') : about('added the user')
    case 'user.changed':
      return userChange(entry, about)
    case 'user.invited':
      return about('invited')
    case 'user.signed-out':
      return entry.subject.id === EVERYONE
        ? nothing('logged everyone out on every device')
        : about('logged', ' out on every device')
    case 'user.second-step-used':
      return nothing(`logged in with ${secondStepName(entry)}`)
    case 'user.second-step-added':
      return nothing(`added ${secondStepName(entry)} to two-step login`)
    case 'user.second-step-removed':
      return by?.id === entry.subject.id
        ? nothing(`removed ${secondStepName(entry)} from two-step login`)
        : about('removed the two-step login of')
    case 'user.recovery-codes-made':
      return nothing('made new recovery codes for two-step login')
    case 'user.deleted':
      return about(entry.subject.name === null ? 'deleted' : 'deleted the user')
    case 'program-token.created':
      return about('created the access token')
    case 'program-token.revoked':
      return about('revoked the access token')
    case 'program-token.taken-over':
      return about('took over the access token')
    case 'template.saved':
      return about('saved the template')
    case 'template.deleted':
      return about('deleted the template')
    case 'undelivered-text.done':
      return about('reviewed a recovered text of')
    case 'undelivered-text.reopened':
      return about('marked a recovered text of', ' as not reviewed')
    case 'server.new-epoch':
      return nothing('started with restored data')
    case 'server.new-pepper':
      return nothing('replaced the pepper of the passwords')
    case 'server.new-receipt-key':
      return nothing('made a new key for receipts')
  }
}

/** What a list did, for one line in place of one for each article; begins after the person. */
export function listSentence({ source, created, changed }: LogList): string {
  const done = [
    ...(created > 0 ? [`created ${count(created)}`] : []),
    ...(changed > 0 ? [`changed ${count(changed)}`] : []),
  ]
  const articles = (changed || created) === 1 ? 'article' : 'articles'
  return `${enumerated(done)} ${articles} from ${source === null ? 'a list' : `‘${source}’`}`
}

/** The sentence with its subject in it, for where it is only text. */
export function plainSentence(entry: LogEntry, times: Times): string {
  const { before, subject, after } = agencySentence(entry, times)
  if (subject === '') return before
  const isNamed = entry.subject.name !== null && entry.action.startsWith('article.')
  return `${before} ${isNamed ? `‘${subject}’` : subject}${after}`
}

type About = (before: string, after?: string) => LogSentence

/** Subject of an entry about all accounts. */
const EVERYONE = '*'
const nothing = (before: string): LogSentence => ({ before, subject: '', after: '' })

function subjectName({ action, subject }: LogEntry): string {
  if (subject.name !== null) return subject.name
  if (action.startsWith('user.')) return 'a former user'
  if (action.startsWith('program-token.')) return 'a program'
  if (action.startsWith('template.')) return 'a template'
  return action.startsWith('client.') ? 'a client' : 'an article that is gone'
}

function articleChange(entry: LogEntry, about: About): LogSentence {
  const { changed = [], entities, wordMinimum, formerName, client } = entry
  if (changed.length !== 1) return about('changed', listed(settingPhrases(entry).map(lowerFirst)))
  switch (changed[0]) {
    case 'keywordList':
      return about(
        'replaced the entities of',
        entities && `: ${count(entities.now)} now, ${count(entities.before)} before`,
      )
    case 'clientId':
      return client ? about('moved', ` to ${clientName(client)}`) : about('removed the client of')
    case 'name':
      return about('renamed', formerName === undefined ? '' : `, before ‘${formerName}’`)
    default:
      return about(
        'changed the minimum of',
        wordMinimum && `: ${wordsOf(wordMinimum.now)}, ${count(wordMinimum.before)} before`,
      )
  }
}

function planChange(entry: LogEntry, about: About, times: Times): LogSentence {
  const { changed = [], dueOn, at } = entry
  if (changed.length !== 1)
    return about('changed', listed(planPhrases(entry, times).map(lowerFirst)))
  if (!dueOn) return about('changed the brief of')
  if (dueOn.now === null) return about('removed the due date of')
  return about('set the due date of', ` to ${times.dayName(dueOn.now, at)}`)
}

function mergeEnding({ by, mergedWith }: LogEntry): string {
  const ending = '; the changes were merged'
  if (!mergedWith) return ` at the same time as another user${ending}`
  return mergedWith.id === by?.id
    ? ` on two devices at the same time${ending}`
    : ` at the same time as ${personName(mergedWith)}${ending}`
}

function clientChanges({ changed = [], formerName, joined, left }: LogEntry): string[] {
  return [
    ...(changed.includes('name')
      ? [formerName === undefined ? 'renamed' : `renamed from ‘${formerName}’`]
      : []),
    ...(changed.includes('moonOwlClient') ? ['other kind'] : []),
    ...(joined ? [`added ${peopleNames(joined)}`] : []),
    ...(left ? [`removed ${peopleNames(left)}`] : []),
  ]
}

const FIELD_NAMES: Record<string, string> = {
  name: 'name',
  email: 'e-mail',
  role: 'role',
  password: 'password',
}

function userChange(entry: LogEntry, about: About): LogSentence {
  const { changed = [], role, formerName, by, subject } = entry
  if (changed.length === 1) {
    if (changed[0] === 'password') {
      return by?.id === subject.id ? nothing('set a new password') : about('set a new password for')
    }
    if (changed[0] === 'role' && role)
      return about('made', role === 'admin' ? ' an admin' : ' a user')
    if (changed[0] === 'name' && formerName) return about(`renamed ‘${formerName}’ to`)
  }
  return about('changed the user', listed(changed.map((field) => FIELD_NAMES[field] ?? field)))
}

const SECOND_STEPS: Record<SecondStepMethod, string> = {
  app: 'an authenticator app',
  passkey: 'a passkey',
  'recovery-code': 'a recovery code',
}
const secondStepName = ({ secondStep }: LogEntry): string =>
  secondStep === undefined ? 'a second step' : SECOND_STEPS[secondStep]

const peopleNames = ({ count: all, first }: LogPeople): string => {
  const names = first.map((person) => lowerFormer(personName(person), person))
  const rest = all - first.length
  return enumerated(rest > 0 ? [...names, `${rest} more`] : names)
}
const lowerFormer = (text: string, { name }: Named): string =>
  name === null ? lowerFirst(text) : text

const clientName = ({ name }: Named): string => name ?? 'a client'
const listed = (parts: readonly string[]): string =>
  parts.length === 0 ? '' : `: ${parts.join(', ')}`
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const count = (value: number): string => new Intl.NumberFormat('en').format(value)
const wordsOf = (value: number): string => `${count(value)} ${value === 1 ? 'word' : 'words'}`

const versionName = ({ restored }: LogEntry, { timeOf }: Times): string =>
  restored ? `the version from ${timeOf(restored.at)}` : 'an earlier version'
