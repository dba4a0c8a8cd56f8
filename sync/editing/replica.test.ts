import { expect, test } from 'vitest'
import { plainText } from '../../domain/text/article-text.ts'
import type { Draft } from '../store/draft-rows.ts'
import { measure } from '../store/text-stats.ts'
import { doc } from '../testing/test-world.ts'
import {
  afterDirectSave,
  afterEdit,
  afterLook,
  afterReading,
  afterShowing,
  afterTaking,
  afterUnshownMerge,
  afterWrite,
  beforeWrite,
  isDirty,
  openReplica,
  type Replica,
  type Step,
  snapshotOf,
  stepAfterWrite,
  stepForRow,
  wasShown,
} from './replica.ts'
import { NO_REV } from './write-draft.ts'

/** Texts are paragraphs, separated by '/'. */
const text = (words: string) => measure(doc(...words.split('/')))
const words = (document: Parameters<typeof plainText>[0]) =>
  plainText(document).replaceAll('\n', '/')

/** The draft's row. */
const row = (localRev: number, own: string, base = 'one', baseVersion = 1): Draft => ({
  ...text(own),
  articleId: 'a1',
  localRev,
  baseDoc: text(base).doc,
  baseHash: text(base).hash,
  baseVersion,
  baseRevision: `r${baseVersion}`,
  ackedRev: 0,
  editedAt: 0,
  dirty: 1,
  lastSentAt: null,
})

const opened = openReplica(row(5, 'one'), 'e1')

const summary = ({ seen, base, writtenBase }: Replica) =>
  `${seen.rev} "${words(seen.doc)}" from ${base.baseVersion}/${writtenBase.baseVersion}`

function say(step: Step): string {
  if (step.kind !== 'take') return step.kind
  const { show, shown, isTypedOn } = step
  const parts = [show && `show "${words(show)}"`, `have ${shown ? `"${words(shown)}"` : 'its own'}`]
  return [...parts, isTypedOn && 'write'].filter(Boolean).join(', ')
}

test.each([
  { row: 'one two', now: 'one two three', does: 'have "one two"', when: 'is the only one' },
  {
    row: 'one two/theirs',
    now: null,
    does: 'later',
    when: 'met another, and nothing can be shown',
  },
  {
    row: 'one two/theirs',
    now: 'one two',
    does: 'show "one two/theirs", have its own',
    when: 'met another',
  },
  {
    row: 'one two/theirs',
    now: 'one two three',
    does: 'show "one two three/theirs", have "one two/theirs", write',
    when: 'met another, while the user typed on',
  },
])('a write that $when: $does', ({ row: merged, now, does }) => {
  const shown = now === null ? null : doc(...now.split('/'))
  expect(say(stepAfterWrite(opened, text('one two'), row(6, merged), shown))).toBe(does)
})

test.each([
  { now: null, row: 'one two', does: 'later' },
  { now: 'one more', row: 'one two', does: 'write' },
  { now: 'one', row: 'one', does: 'have "one"' },
  { now: 'one', row: 'one two', does: 'show "one two", have its own' },
])('a row "$row" at an editor that shows "$now": $does', ({ now, row: theirs, does }) => {
  const shown = now === null ? null : doc(now)
  expect(say(stepForRow(opened, row(6, theirs), shown))).toBe(does)
})

test.each([
  { with: 'a newer text', row: row(6, 'one'), result: null },
  { with: 'another base', row: row(5, 'one', 'two', 2), result: null },
  { with: 'the same base in a newer version', row: row(5, 'one', 'one', 2), result: 2 },
  { with: 'an older text', row: row(4, 'one', 'one', 2), result: 1 },
])('a look at a row with $with takes its base or reads on: $result', ({ row: found, result }) => {
  expect(afterLook(opened, found)?.base.baseVersion ?? null).toBe(result)
})

test('a text that the server accepted is its own base, without being read again', () => {
  const typed = openReplica({ ...row(5, 'one two'), typedRuns: ['on', ' two'] }, 'e1')
  const accepted = { ...row(5, 'one two', 'one two', 2), dirty: 0 as const }
  const { baseDoc: _, doc: __, ...state } = accepted
  expect(afterLook(typed, state)).toEqual(afterReading(typed, accepted))
  expect(words(afterLook(typed, state)?.base.baseDoc ?? {})).toBe('one two')
  const recreated = row(5, 'other', 'other', 2)
  expect(afterLook(typed, recreated)).toBeNull()
  const direct = afterDirectSave(typed, { base: row(0, 'one', 'sent', 7), epoch: 'e2' })
  expect(afterLook(direct, state)).toBeNull()
})

test.each([
  { row: row(5, 'one', 'two', 2), result: '5 "one" from 2/2' },
  { row: row(6, 'one', 'two', 2), result: '5 "one" from 1/1' },
])('the base of a row is taken with the text that grew from it: $result', (found) => {
  expect(summary(afterReading(opened, found.row))).toBe(found.result)
})

test('the base of a direct save stays until it is written', () => {
  const direct = afterDirectSave(opened, { base: row(0, 'one', 'sent', 7), epoch: 'e2' })
  expect(summary(direct)).toBe('5 "one" from 7/1')
  expect(direct.epoch).toBe('e2')
  expect(afterLook(direct, row(5, 'one', 'sent', 2))?.base.baseVersion).toBe(7)
  expect(summary(afterReading(direct, row(5, 'one', 'one', 2)))).toBe('5 "one" from 7/1')
  expect(summary(afterReading(afterWrite(direct), row(5, 'one', 'one', 2)))).toContain('from 2/2')
})

test('after a direct save in a later epoch, the base of a row is of the epoch at the opening', () => {
  const direct = afterDirectSave(opened, { base: row(0, 'one', 'sent', 7), epoch: 'e2' })
  const written = afterWrite(direct)
  const found = [
    afterLook(written, row(5, 'one', 'sent', 2)),
    afterReading(written, row(5, 'one', 'one', 2)),
    afterTaking(direct, row(6, 'one', 'one', 2), doc('one')),
  ]
  expect(found.map((replica) => [replica?.epoch, replica?.base.baseVersion])).toEqual(
    found.map(() => ['e1', 2]),
  )
})

test('a text that is taken is what the next write grows from', () => {
  const taken = afterTaking(opened, row(8, 'one two', 'one', 3), doc('one two '))
  expect(summary(taken)).toBe('8 "one two" from 3/3')
  expect(wasShown(taken, text('one two ').hash)).toBe(true)
  expect(wasShown(taken, text('one').hash)).toBe(false)
})

test('a merge that could not be shown is never taken to have deleted anything', () => {
  const { seen, base } = afterUnshownMerge(opened, text('one two'))
  expect(seen).toMatchObject({ rev: NO_REV, doc: doc('one two') })
  expect(base.baseVersion).toBe(1)
})

test('a failed write that was committed is what the next one grows from', () => {
  const failed = beforeWrite(opened, text('one two'), null)
  expect(summary(failed)).toBe('5 "one" from 1/1')
  const again = beforeWrite(failed, text('one two three'), failed.unsure)
  expect(summary(again)).toBe('6 "one two" from 1/1')
  expect(again.unsure).toMatchObject({ rev: 7, hash: text('one two three').hash })
  expect(beforeWrite(failed, text('one two three'), null).unsure?.rev).toBe(6)
  expect(afterWrite(again).unsure).toBeNull()
})

test('a merge counts as an edit, but not as one of the user at that time', () => {
  const typed = afterEdit(opened, 40)
  expect([isDirty(opened), isDirty(typed)]).toEqual([false, true])
  expect(afterEdit(typed)).toMatchObject({ edits: 2, editedAt: 40 })
})

test('what the editor shows may differ from the text of the row, and is unknown once the row is gone', () => {
  const shown = afterShowing(opened, doc('One'))
  expect(wasShown(shown, text('One').hash)).toBe(true)
  expect(shown.seen.doc).toEqual(doc('one'))
  expect(wasShown(afterShowing(opened, null), text('one').hash)).toBe(false)
})

test.each([
  { left: opened, more: [] },
  { left: openReplica(row(5, 'two'), 'e1'), more: ['serverText'] },
  { left: beforeWrite(opened, text('two'), null), more: ['underWay'] },
  { left: afterShowing(opened, null), more: ['serverText'] },
  {
    left: afterDirectSave(opened, { base: row(0, 'one', 'one', 7), epoch: 'e1' }),
    more: ['savedDirectly'],
  },
])('an exit snapshot has $more', ({ left, more }) => {
  const { base, seenRev, epoch, ...rest } = snapshotOf(left)
  expect([base, seenRev, epoch]).toEqual([left.seen.doc, 5, 'e1'])
  expect(Object.keys(rest)).toEqual(more)
})

test.each([
  ['', 'The soil', 'The soil'],
  ['The', 'The soil', 'The soil'],
  ['The soiln', 'The soil', 'The soil'],
  ['The soil', '', 'The soil'],
  ['The soil', 'In spring', 'The soil/In spring'],
])('the runs %j, while the user types %j', (known, typed, then) => {
  const runs = known.split('/').filter(Boolean)
  const { typedRuns } = afterEdit({ ...opened, typedRuns: runs }, 1, typed)
  expect(typedRuns.join('/')).toBe(then)
})

test('the first run and the last 63 are kept', () => {
  const typed = Array.from({ length: 100 }, (_, at) => `run ${at}`)
  const { typedRuns } = typed.reduce((left, run, at) => afterEdit(left, at, run), opened)
  expect(typedRuns).toEqual(['run 0', ...typed.slice(-63)])
})

test('the runs of another tab are kept, and each once as far as it was typed', () => {
  const replica = { ...opened, typedRuns: ['The soil', 'In spring we'] }
  const taken = { ...row(6, 'two'), typedRuns: ['The soil is wet.', 'In spring', 'Ada'] }
  const { typedRuns } = afterTaking(replica, taken, text('two').doc)
  expect(typedRuns).toEqual(['The soil is wet.', 'Ada', 'In spring we'])
})

test('once the server has the text, only the last run may still grow', () => {
  const replica = { ...opened, typedRuns: ['The soil', 'In spring'] }
  expect(afterReading(replica, row(5, 'one')).typedRuns).toEqual(['The soil', 'In spring'])
  expect(afterReading(replica, { ...row(5, 'one'), dirty: 0 }).typedRuns).toEqual(['In spring'])
})
