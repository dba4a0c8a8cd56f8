import { describe, expect, it } from 'vitest'
import { createDates } from './calendar/dates.ts'
import { actorName, articlePhrases, listSentence, plainSentence } from './log-words.ts'
import { LOG_ACTIONS, type LogAction, type LogEntry, logEntrySchema } from './wire/log.ts'

const times = { timeOf: (at: string) => at.slice(11, 16), dayName: createDates('en-GB').dayName }
const ada = { id: '1', name: 'Ada Ferris' }
const entryOf = (action: LogAction, rest: Partial<LogEntry> = {}): LogEntry =>
  logEntrySchema.parse({
    id: 'e',
    at: '2026-03-02T09:00:00.000Z',
    action,
    by: ada,
    subject: { id: '2', name: 'Oats' },
    ...rest,
  })
const restored = { textVersion: 3, at: '2026-03-02T10:15:00.000Z' }
const mill = { id: '3', name: 'Mill' }
const entities = { now: 41, before: 29, added: 14, removed: 2 }
const wordMinimum = { now: 1_900, before: 700 }

// biome-ignore format: a table reads by its rows.
const articleRows: [LogAction, Partial<LogEntry>, phrases: string[], sentence: string][] = [
  ['article.created', {}, ['Created'], 'created ‘Oats’'],
  ['article.created', { client: mill }, ['Created for Mill'], 'created ‘Oats’ for Mill'],
  ['article.completed', {}, ['Marked complete'], 'completed ‘Oats’'],
  ['article.completed', { handIn: 2 }, ['Marked complete'], 'completed ‘Oats’, hand-in 2'],
  ['article.reopened', { textVersion: 3 }, ['Reopened'], 'reopened ‘Oats’'],
  ['article.text-restored', {}, ['Restored an earlier version'], 'restored an earlier version of ‘Oats’'],
  ['article.text-restored', { restored }, ['Restored the version from 10:15'], 'restored the version from 10:15 of ‘Oats’'],
  ['article.merged', { mergedWith: { id: '4', name: 'Tobias Wren' } }, ['Merged with changes by Tobias Wren'], 'edited ‘Oats’ at the same time as Tobias Wren; the changes were merged'],
  ['article.merged', { mergedWith: ada }, ['Merged with changes from another device'], 'edited ‘Oats’ on two devices at the same time; the changes were merged'],
  ['article.merged', { mergedWith: null }, ['Merged with other changes'], 'edited ‘Oats’ at the same time as another user; the changes were merged'],
  ['article.deleted', {}, ['Deleted'], 'deleted ‘Oats’'],
  ['article.restored', {}, ['Deletion undone'], 'undid the deletion of ‘Oats’'],
  ['article.changed', { changed: ['keywordList'] }, ['Entities replaced'], 'replaced the entities of ‘Oats’'],
  ['article.changed', { changed: ['keywordList'], entities }, ['Entities replaced: 14 added, 2 removed'], 'replaced the entities of ‘Oats’: 41 now, 29 before'],
  ['article.changed', { changed: ['clientId'], client: mill }, ['Moved to Mill'], 'moved ‘Oats’ to Mill'],
  ['article.changed', { changed: ['clientId'], client: null }, ['Client removed'], 'removed the client of ‘Oats’'],
  ['article.changed', { changed: ['name'], formerName: 'Rye' }, ['Renamed from ‘Rye’'], 'renamed ‘Oats’, before ‘Rye’'],
  ['article.changed', { changed: ['name'] }, ['Renamed'], 'renamed ‘Oats’'],
  ['article.changed', { changed: ['wordMinimum'], wordMinimum }, ['Minimum changed from 700 to 1,900 words'], 'changed the minimum of ‘Oats’: 1,900 words, 700 before'],
  ['article.changed', { changed: ['wordMinimum'], wordMinimum: { now: 1, before: 0 } }, ['Minimum changed from 0 to 1 word'], 'changed the minimum of ‘Oats’: 1 word, 0 before'],
  ['article.changed', { changed: ['wordMinimum'] }, ['Minimum changed'], 'changed the minimum of ‘Oats’'],
  ['article.changed', { changed: ['name', 'keywordList'], formerName: 'Rye' }, ['Renamed from ‘Rye’', 'Entities replaced'], 'changed ‘Oats’: renamed from ‘Rye’, entities replaced'],
  ['article.planned', { changed: ['dueOn'], dueOn: { now: '2026-12-03', before: null } }, ['Due date set to 3 December 2026'], 'set the due date of ‘Oats’ to 3 December'],
  ['article.planned', { changed: ['dueOn'], dueOn: { now: '2027-01-09', before: '2026-12-03' } }, ['Due date set to 9 January 2027'], 'set the due date of ‘Oats’ to 9 January 2027'],
  ['article.planned', { changed: ['dueOn'], dueOn: { now: null, before: '2026-12-03' } }, ['Due date removed'], 'removed the due date of ‘Oats’'],
  ['article.planned', { changed: ['brief'] }, ['Brief changed'], 'changed the brief of ‘Oats’'],
  ['article.planned', { changed: ['brief', 'dueOn'], dueOn: { now: '2026-12-03', before: null } }, ['Due date set to 3 December 2026', 'Brief changed'], 'changed ‘Oats’: due date set to 3 December 2026, brief changed'],
]

describe('an entry of an article', () => {
  it.each(articleRows)('%s %j', (action, rest, phrases, sentence) => {
    const entry = entryOf(action, rest)
    expect([articlePhrases(entry, times), plainSentence(entry, times)]).toEqual([phrases, sentence])
  })
})

describe('what a list did', () => {
  const did = (created: number, changed: number, source: string | null = 'l12.csv') =>
    listSentence({ id: '5', source, created, changed })
  it('is one sentence', () => {
    expect(did(12, 0)).toBe('created 12 articles from ‘l12.csv’')
    expect(did(0, 1)).toBe('changed 1 article from ‘l12.csv’')
    expect(did(1_200, 3, null)).toBe('created 1,200 and changed 3 articles from a list')
  })
})

const people = (count: number, ...names: (string | null)[]) => ({
  count,
  first: names.map((name) => ({ id: 'p', name })),
})

// biome-ignore format: a table reads by its rows.
const otherRows: [LogAction, Partial<LogEntry>, sentence: string][] = [
  ['client.created', {}, 'added the client Oats'],
  ['client.changed', { changed: ['name'], formerName: 'Rye' }, 'changed the client Oats: renamed from ‘Rye’'],
  ['client.changed', { changed: ['users'], joined: people(1, 'Imogen Hale'), left: people(7, null, 'Otto Lindqvist') }, 'changed the client Oats: added Imogen Hale, removed a former user, Otto Lindqvist and 5 more'],
  ['client.changed', { changed: ['moonOwlClient'] }, 'changed the client Oats: other kind'],
  ['client.deleted', {}, 'deleted the client Oats'],
  ['user.created', {}, 'added the user Oats'],
  ['user.created', { subject: ada }, 'registered'],
  ['user.changed', { changed: ['password'] }, 'set a new password for Oats'],
  ['user.changed', { changed: ['password'], subject: ada }, 'set a new password'],
  ['user.changed', { changed: ['role'], role: 'admin' }, 'made Oats an admin'],
  ['user.changed', { changed: ['role'], role: 'user' }, 'made Oats a user'],
  ['user.changed', { changed: ['name'], formerName: 'Rye' }, 'renamed ‘Rye’ to Oats'],
  ['user.changed', { changed: ['email', 'role'], role: 'user' }, 'changed the user Oats: e-mail, role'],
  ['user.invited', {}, 'invited Oats'],
  ['user.signed-out', {}, 'logged Oats out on every device'],
  ['user.signed-out', { subject: { id: '*', name: null } }, 'logged everyone out on every device'],
  ['user.second-step-used', { subject: ada, secondStep: 'recovery-code' }, 'logged in with a recovery code'],
  ['user.second-step-added', { subject: ada, secondStep: 'app' }, 'added an authenticator app to two-step login'],
  ['user.second-step-removed', { subject: ada, secondStep: 'passkey' }, 'removed a passkey from two-step login'],
  ['user.second-step-removed', {}, 'removed the two-step login of Oats'],
  ['user.recovery-codes-made', { subject: ada }, 'made new recovery codes for two-step login'],
  ['user.deleted', {}, 'deleted the user Oats'],
  ['user.deleted', { subject: { id: '2', name: null } }, 'deleted a former user'],
  ['article.reopened', { subject: { id: '2', name: null } }, 'reopened an article that is gone'],
  ['program-token.created', {}, 'created the access token Oats'],
  ['program-token.revoked', {}, 'revoked the access token Oats'],
  ['program-token.taken-over', {}, 'took over the access token Oats'],
  ['template.saved', {}, 'saved the template Oats'],
  ['template.deleted', {}, 'deleted the template Oats'],
  ['undelivered-text.done', {}, 'reviewed a recovered text of Oats'],
  ['undelivered-text.reopened', {}, 'marked a recovered text of Oats as not reviewed'],
  ['server.new-epoch', {}, 'started with restored data'],
  ['server.new-pepper', {}, 'replaced the pepper of the passwords'],
  ['server.new-receipt-key', {}, 'made a new key for receipts'],
]

describe('another entry', () => {
  it.each(otherRows)('%s %j', (action, rest, sentence) => {
    expect(plainSentence(entryOf(action, rest), times)).toBe(sentence)
  })
})

it('every action has words', () => {
  const covered = new Set([...articleRows, ...otherRows].map(([action]) => action))
  expect(LOG_ACTIONS.filter((action) => !covered.has(action))).toEqual([])
})

it('names who acted', () => {
  expect(actorName({ by: ada })).toBe('Ada Ferris')
  expect(actorName({ by: { id: '9', name: null } })).toBe('A former user')
  expect(actorName({ by: null })).toBe('Server')
})
