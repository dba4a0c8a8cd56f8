import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReadPerson, readPeople } from '../../../../domain/lists/people-list.ts'
import type { InvitedPerson, PeopleListAnswer } from '../../../../domain/wire/people-lists.ts'
import { useApp } from '../../../app/app-context.tsx'
import { Refused } from '../../../remote/http.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'
import { RUN_NOT_ANSWERED } from '../run-words.ts'
import { usePeopleLists } from '../use-remote.ts'
import { type Counts, csvFault, lineFault, listFault } from './people-words.ts'

/** One line of the list: what is wrong with it, or what happens to its person. */
export type CheckedLine = { read: ReadPerson } & (
  | { fault: string; outcome: null }
  | { fault: null; outcome: InvitedPerson }
)

/** `key` names the run that may follow. */
type Checked = { lines: CheckedLine[]; answer: PeopleListAnswer; key: string }

const STALE =
  'Accounts or clients have changed since this list was checked. Nothing was done. Please look at it again.'
const NEEDS_CONNECTION = 'You need a connection to invite people.'

/** A pasted list of people, its check and its run. */
export function usePeopleList(onDone: (counts: Counts, left: CheckedLine[]) => void) {
  const lists = usePeopleLists()
  const queries = useQueryClient()
  const { newId } = useApp()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked | null>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  async function attempt(work: () => Promise<void>, withoutAnswer: string) {
    if (busy) return
    setBusy(true)
    setFault(null)
    try {
      await work()
    } catch (error) {
      setFault(error instanceof Refused ? refusalWords(error.message) : withoutAnswer)
    } finally {
      setBusy(false)
    }
  }

  async function check() {
    const read = readPeople(text)
    const found = read.ok ? listFault(read.people) : csvFault(read.fault)
    if (!read.ok || found !== null) return setFault(found)
    await attempt(async () => {
      const ready = read.people.filter((person) => lineFault(person) === null)
      const answer = ready.length > 0 ? await lists.check({ people: ready.map(sent) }) : NOTHING
      setChecked({ lines: checkedLines(read.people, answer), answer, key: newId() })
    }, NEEDS_CONNECTION)
  }

  async function run({ lines, answer, key }: Checked) {
    const people = lines.filter(({ fault: wrong }) => wrong === null).map(({ read }) => read)
    await attempt(async () => {
      try {
        const outcome = await lists.run({ people: people.map(sent), plan: answer.plan }, key)
        const all = checkedLines(
          lines.map(({ read }) => read),
          outcome.answer,
        )
        if (outcome.kind === 'done') return onDone(countsOf(all), all.filter(isLeftOut))
        setChecked({ lines: all, answer: outcome.answer, key: newId() })
        setFault(STALE)
      } finally {
        void queries.invalidateQueries()
      }
    }, RUN_NOT_ANSWERED)
  }

  return {
    text,
    write(next: string) {
      setText(next)
      setFault(null)
    },
    /** Null until the list was checked. */
    lines: checked?.lines ?? null,
    busy,
    /** What went wrong last, or what is wrong with the list. */
    fault,
    check: () => void check(),
    run: () => void (checked && run(checked)),
    /** Leads back to the text. */
    change(next = text) {
      setText(next)
      setChecked(null)
      setFault(null)
    },
  }
}

const NOTHING: PeopleListAnswer = { plan: '', done: false, people: [] }

const sent = ({ name, email, client }: ReadPerson) => ({
  name,
  email,
  ...(client !== '' && { client }),
})

/** The answer has an outcome for each line without a fault, in order. */
function checkedLines(people: readonly ReadPerson[], { people: outcomes }: PeopleListAnswer) {
  const rest = outcomes.values()
  return people.map((read): CheckedLine => {
    const fault = lineFault(read)
    if (fault !== null) return { read, fault, outcome: null }
    const outcome = rest.next().value
    if (outcome === undefined) throw new Error('The answer is not about this list')
    return { read, fault, outcome }
  })
}

export const isLeftOut = ({ outcome }: CheckedLine): boolean =>
  outcome === null || outcome.state === 'cannot'

export function countsOf(lines: readonly CheckedLine[]): Counts {
  const count = (state: InvitedPerson['state']) =>
    lines.filter(({ outcome }) => outcome?.state === state).length
  return {
    invited: count('new'),
    added: count('joins'),
    leftOut: lines.filter(isLeftOut).length,
  }
}
