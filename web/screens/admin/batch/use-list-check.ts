import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { NAME_MAX } from '../../../../domain/limits.ts'
import type { ReadArticle } from '../../../../domain/lists/article-list.ts'
import { nameIn } from '../../../../domain/names/name-in-cell.ts'
import type { ArticleListAnswer } from '../../../../domain/wire/article-lists.ts'
import { useApp } from '../../../app/app-context.tsx'
import { type ArticleLists, createArticleLists } from '../../../remote/article-list.ts'
import { Refused } from '../../../remote/http.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'
import {
  changedSince,
  decisionsOf,
  readyArticles,
  stillNamed,
  type UnknownClient,
  withUnknown,
} from './check-entries.ts'

/** A list as the agency's articles make of it. `key` names the run that may follow. */
export type Checked = {
  /** The name of the file, or 'Pasted cells'. */
  name: string
  articles: readonly ReadArticle[]
  answer: ArticleListAnswer
  clients: readonly UnknownClient[]
  /** When it was checked, in milliseconds since 1970; null where no article could be sent. */
  at: number | null
  key: string
}

export type CheckNotice =
  /** The articles are other ones now: how many outcomes changed. */
  | { kind: 'stale'; count: number }
  /** The server refused, with its words. */
  | { kind: 'refused'; message: string }
  /** No answer came. */
  | { kind: 'lost' }
  /** A new check did not arrive. */
  | { kind: 'unchecked'; message: string | null }

const NOTHING_SENT: ArticleListAnswer = { plan: '', done: false, articles: [], unknownClients: [] }

export type ListCheck = ReturnType<typeof useListCheck>

/** The check of a list, the decisions about its unknown clients, and its run. */
export function useListCheck() {
  const { send, clock, newId } = useApp()
  const queries = useQueryClient()
  const lists = useMemo(() => createArticleLists(send), [send])
  const [checked, setChecked] = useState<Checked | null>(null)
  const [busy, setBusy] = useState<'checking' | 'running' | null>(null)
  const [notice, setNotice] = useState<CheckNotice | null>(null)
  const turn = useRef(0)

  /** Resolves with whether the check arrived; rejects where the server refused or did not answer. */
  async function ask(wanted: Pick<Checked, 'name' | 'articles' | 'clients'>): Promise<boolean> {
    turn.current += 1
    const mine = turn.current
    setBusy('checking')
    try {
      const next = await checkedOf(lists, wanted)
      if (mine !== turn.current) return false
      const at = readyArticles(wanted.articles).length > 0 ? clock.now() : null
      setChecked({ ...wanted, ...next, at, key: newId() })
      setNotice(null)
      return true
    } finally {
      if (mine === turn.current) setBusy(null)
    }
  }

  async function askAgain(clients: readonly UnknownClient[]) {
    if (!checked) return
    setChecked({ ...checked, clients })
    try {
      await ask({ ...checked, clients })
    } catch (error) {
      setNotice({
        kind: 'unchecked',
        message: error instanceof Refused ? refusalWords(error.message) : null,
      })
    }
  }

  async function run(): Promise<ArticleListAnswer | null> {
    if (!checked || busy !== null) return null
    const { name, articles, clients, answer, key } = checked
    setBusy('running')
    setNotice(null)
    try {
      const body = { articles: readyArticles(articles), clients: decisionsOf(clients) }
      const outcome = await lists.run({ ...body, plan: answer.plan, source: sourceOf(name) }, key)
      if (outcome.kind === 'done') return outcome.answer
      const count = changedSince(answer.articles, outcome.answer.articles)
      const unknown = withUnknown(clients, outcome.answer.unknownClients)
      setChecked({
        ...checked,
        answer: outcome.answer,
        clients: unknown.clients,
        at: clock.now(),
        key: newId(),
      })
      setNotice({ kind: 'stale', count })
      if (unknown.isPreset) await askAgain(unknown.clients)
      return null
    } catch (error) {
      setNotice(
        error instanceof Refused
          ? { kind: 'refused', message: refusalWords(error.message) }
          : { kind: 'lost' },
      )
      return null
    } finally {
      setBusy(null)
      void queries.invalidateQueries()
    }
  }

  return {
    checked,
    busy,
    notice,
    /** Decisions stay, also for another reading of the list, while it names their clients. */
    check: (name: string, articles: readonly ReadArticle[]) =>
      ask({ name, articles, clients: stillNamed(checked?.clients ?? [], articles) }),
    /** Decides about one client and checks again, where there is something to check. */
    decide(name: string, choice: Pick<UnknownClient, 'use' | 'picked'>) {
      if (!checked) return
      const clients = checked.clients.map((client) =>
        client.name === name ? { ...client, ...choice } : client,
      )
      void askAgain(clients)
    },
    checkAgain: () => void (checked && askAgain(checked.clients)),
    run,
    forget() {
      turn.current += 1
      setChecked(null)
      setNotice(null)
      setBusy(null)
    },
  }
}

/** The name of a file as the log keeps it. */
const sourceOf = (name: string): string => nameIn(name).slice(0, NAME_MAX)

/** Asks again where a decision is preset by the answer itself. */
async function checkedOf(
  lists: ArticleLists,
  { articles, clients }: Pick<Checked, 'articles' | 'clients'>,
): Promise<Pick<Checked, 'answer' | 'clients'>> {
  const ready = readyArticles(articles)
  if (ready.length === 0) return { answer: NOTHING_SENT, clients }
  const answer = await lists.check({ articles: ready, clients: decisionsOf(clients) })
  const unknown = withUnknown(clients, answer.unknownClients)
  return unknown.isPreset
    ? checkedOf(lists, { articles, clients: unknown.clients })
    : { answer, clients: unknown.clients }
}
