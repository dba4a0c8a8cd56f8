import { Dexie } from 'dexie'
import { readTag, tagOf } from '../../domain/wire/state-tag.ts'
import type { HttpAnswer, HttpRequest, Ports } from '../ports.ts'
import type { LocalDatabase } from '../store/database.ts'
import { type Draft, draftIn, putDraft, readDraft } from '../store/draft-rows.ts'
import type { ServerText } from '../store/server-docs.ts'
import { type Tables, transact } from '../store/transaction.ts'
import { batchFaults } from './batch-breakages.ts'
import type { Breakage } from './browser.ts'
import { middleboxFaults } from './middlebox-breakages.ts'
import { noteFaults } from './note-breakages.ts'
import { supersedingFaults } from './superseding-breakages.ts'
import { varietyFaults } from './variety-breakages.ts'
import { mergeWordByWord } from './word-by-word.ts'

/**
 * Plausible faults of a sync core. The schedules must notice each of them. `seed` is where the search begins: a
 * schedule that noticed the fault when it was recorded. `within`: the most schedules that it may take.
 */
export type KnownFault = Breakage & { name: string; seed: number; within?: number }

export const faults: readonly KnownFault[] = [
  ...batchFaults,
  ...varietyFaults,
  ...noteFaults,
  {
    name: 'sends without a condition',
    seed: 1,
    send: without('If-Match'),
    core: { overwriting: () => () => [] },
  },
  { name: 'sends without a key', seed: 1, send: without('Idempotency-Key') },
  {
    name: 'sends without the history of the data',
    seed: 136,
    hasRestores: true,
    send: (send, ...rest) =>
      without('Server-Epoch')((request) => send(withoutRevision(request)), ...rest),
    core: { overwriting: () => () => [] },
  },
  {
    name: 'takes a new key for every try',
    seed: 1,
    send: (send, _, newId) => (request) => {
      const headers = { ...request.headers, 'Idempotency-Key': newId() }
      return send(request.method === 'PATCH' ? { ...request, headers } : request)
    },
  },
  {
    name: 'forgets what was typed since when text is acknowledged',
    seed: 7,
    core: {
      settleAcknowledged: (original) => async (database, all, effects) => {
        const behind = await original(database, all, effects)
        for (const { sent } of all) await giveUp(database, sent.articleId)
        return behind
      },
    },
  },
  {
    name: 'adds typing to what is on its way',
    seed: 5,
    core: {
      queueText: (original) => async (tables, draft, change) => {
        const inflight = await textOf(tables, draft.articleId, 'inflight')
        if (!inflight) return original(tables, draft, change)
        await tables.outbox.put({ ...inflight, state: 'pending', dueAt: change.editedAt })
        return { dirty: 1, isMoved: true }
      },
    },
  },
  {
    name: 'merges over the text that it just fetched',
    seed: 1,
    core: {
      mergeWithServer: (original) => async (device, theirs, refused) => {
        const draft = await readDraft(device.database, theirs.articleId)
        const base = { baseDoc: theirs.doc, baseHash: theirs.hash }
        if (draft) await writeOver(device.database, { ...draft, ...base })
        return original(device, theirs, refused)
      },
    },
  },
  {
    name: 'removes a change from the queue before it is sent',
    seed: 1,
    send: (send, database) => async (request) => {
      if (request.method === 'PATCH') await database.outbox.where({ state: 'inflight' }).delete()
      return send(request)
    },
  },
  {
    name: 'takes every 200 for an acknowledgement',
    seed: 4,
    send: (send) => async (request) => {
      const answer = await send(request)
      const isGood = request.method !== 'PATCH' || answer.status !== 200 || isArticle(answer.json)
      return isGood ? answer : { ...answer, json: acknowledgementOf(request) }
    },
  },
  {
    name: "writes the server's text over words that wait",
    seed: 4,
    core: {
      storeTexts:
        (original) =>
        async (database, texts, ...rest) => {
          const moved = new Set(await original(database, texts, ...rest))
          for (const { text } of texts)
            if (await overwrite(database, text)) moved.add(text.articleId)
          return [...moved]
        },
    },
  },
  {
    name: "writes over another tab's words",
    seed: 6,
    core: {
      writeDraft: (original) => async (database, write) => {
        const row = await database.drafts.get(write.articleId)
        return original(database, { ...write, seenRev: row?.localRev ?? write.seenRev })
      },
    },
  },
  {
    name: 'gives a change up on 401',
    seed: 2,
    core: {
      settleBlocked: (original) => async (database, sent, flag, message, effects) => {
        await original(database, sent, flag, message, effects)
        for (const { articleId } of sent) await giveUp(database, articleId)
      },
    },
  },
  {
    name: 'gives a change up when it is refused for good',
    seed: 28,
    core: {
      settleRefused: (original) => async (database, sent, reason, message, effects) => {
        const settled = await original(database, sent, reason, message, effects)
        if (reason === 'revoked' || reason === 'deleted') await giveUp(database, sent.articleId)
        return settled
      },
    },
  },
  {
    name: 'clears everything away with the access',
    seed: 18,
    send: (send, database) => async (request) => {
      const answer = await send(request)
      const articleId = request.path.split('/').at(-1) ?? ''
      if ([403, 404, 410].includes(answer.status)) await clearAway(database, articleId)
      return answer
    },
  },
  {
    name: 'lets a completion overtake the last words',
    seed: 35,
    core: {
      completionActions: (original) => (ports, options) => {
        const actions = original(ports, options)
        return {
          ...actions,
          async setCompleted(articleId, completed) {
            await actions.setCompleted(articleId, completed)
            await moveBehindCompletion(options.database, articleId)
          },
        }
      },
    },
  },
  {
    name: 'settles answers to what is not on its way any more',
    seed: 161,
    core: {
      stillInflight: () => async (tables, sent) => (await tables.outbox.get(sent.seq)) ?? sent,
      settleAcknowledged: (original) => async (database, all, effects) => {
        await database.outbox.bulkPut(all.map(({ sent }) => sent))
        return original(database, all, effects)
      },
    },
  },
  {
    name: 'moves the base before the server has the text',
    seed: 1,
    core: {
      takeDue:
        (original) =>
        async (tables, ...rest) => {
          const due = await original(tables, ...rest)
          for (const { kind, articleId } of due.send) {
            const draft = kind === 'text' ? await draftIn(tables, articleId) : undefined
            if (draft) {
              await putDraft(tables, { ...draft, baseDoc: draft.doc, baseHash: draft.hash })
            }
          }
          return due
        },
    },
  },
  {
    name: 'gives a change up when the server is busy',
    seed: 9,
    send: (send, database) => async (request) => {
      const answer = await send(request)
      if (request.method === 'PATCH' && answer.status >= 500) {
        await database.outbox.where({ state: 'inflight' }).delete()
      }
      return answer
    },
  },
  {
    name: 'waits as long as it is told, however long',
    seed: 50,
    core: {
      readVerdict: (original) => (answer, articleId, now) => {
        const verdict = original(answer, articleId, now)
        const seconds = Number(answer.header('Retry-After') ?? Number.NaN)
        const isTold = verdict.kind === 'retry' && !Number.isNaN(seconds)
        return isTold ? { ...verdict, waitMs: seconds * 1_000 } : verdict
      },
    },
  },
  {
    name: 'unites word by word what two typed at one place',
    seed: 1,
    within: 20,
    hasSentences: true,
    core: { merge3: () => mergeWordByWord },
  },
  {
    name: 'does not know what was typed in one go',
    seed: 1,
    within: 20,
    hasSentences: true,
    core: { runsAfter: () => () => [] },
  },
  {
    name: 'forgets what was typed in one go when the next sentence begins alike',
    seed: 274,
    hasSentences: true,
    core: {
      runsAfter: (original) => (runs, run) => {
        const last = runs.at(-1) ?? ''
        return original(run !== '' && last.startsWith(run) ? runs.slice(0, -1) : runs, run)
      },
    },
  },
  ...middleboxFaults,
  ...supersedingFaults,
]

/** No fault: locks only save work, the server's condition is what keeps text apart. */
export const withoutLocks: Breakage = {
  isUncoordinated: true,
  ports: (ports: Ports): Ports => ({ ...ports, locks: { hold: (_, task) => task() } }),
}

function without(header: string): NonNullable<Breakage['send']> {
  return (send) => (request) => {
    const { [header]: _, ...headers } = request.headers ?? {}
    return send({ ...request, headers })
  }
}

/** The revision's own name in a condition distinguishes epochs too. */
function withoutRevision(request: HttpRequest): HttpRequest {
  const { 'If-Match': tag, ...headers } = request.headers ?? {}
  if (tag === undefined) return request
  const { version, textVersion } = readTag(tag)
  return { ...request, headers: { ...headers, 'If-Match': tagOf({ version, textVersion }) } }
}

type State = 'pending' | 'inflight' | 'blocked'

const textsOf = ({ outbox }: Tables<'outbox'>, articleId: string) =>
  outbox
    .where('[articleId+seq]')
    .between([articleId, Dexie.minKey], [articleId, Dexie.maxKey])
    .filter(({ kind }) => kind === 'text')

const textOf = (tables: Tables<'outbox'>, articleId: string, state: State) =>
  textsOf(tables, articleId)
    .filter((entry) => entry.state === state)
    .first()

async function removeText(database: LocalDatabase, articleId: string, ...states: State[]) {
  const entries = textsOf(database, articleId).filter(({ state }) => states.includes(state))
  await entries.delete()
}

const writeOver = (database: LocalDatabase, draft: Draft): Promise<void> =>
  transact(database, 'rw', ['drafts', 'texts'], (tables) => putDraft(tables, draft))

/** As if the server had accepted it. */
async function giveUp(database: LocalDatabase, articleId: string): Promise<void> {
  await removeText(database, articleId, 'pending', 'inflight', 'blocked')
  const draft = await database.drafts.get(articleId)
  if (draft) await database.drafts.put({ ...draft, dirty: 0 })
}

async function clearAway(database: LocalDatabase, articleId: string): Promise<void> {
  const { articles, docs, drafts, localRevs } = database
  await removeText(database, articleId, 'pending', 'inflight', 'blocked')
  await localRevs.filter((row) => row.articleId === articleId).delete()
  for (const table of [articles, docs, drafts]) await table.delete(articleId)
}

async function overwrite(database: LocalDatabase, text: ServerText): Promise<boolean> {
  const { articleId, textVersion, doc, hash, words } = text
  const draft = await readDraft(database, articleId)
  if (!draft || draft.dirty === 0 || draft.baseVersion >= textVersion) return false
  const base = { baseDoc: doc, baseHash: hash, baseVersion: textVersion }
  const localRev = draft.localRev + 1
  const rest = { localRev, ackedRev: localRev, dirty: 0 as const }
  await writeOver(database, { ...draft, doc, hash, words, ...base, ...rest })
  await removeText(database, articleId, 'pending', 'inflight')
  return true
}

async function moveBehindCompletion(database: LocalDatabase, articleId: string): Promise<void> {
  const entry = await textOf(database, articleId, 'pending')
  if (!entry) return
  const { seq, ...rest } = entry
  await database.outbox.delete(seq)
  await database.outbox.add(rest)
}

const isArticle = (json: unknown): boolean =>
  typeof (json as { textVersion?: unknown } | undefined)?.textVersion === 'number'

function acknowledgementOf(request: HttpRequest): HttpAnswer['json'] {
  const id = request.path.split('/').at(-1)
  const { articleText } = JSON.parse(request.body ?? '{}')
  const base = Number(/t(\d+)/.exec(request.headers?.['If-Match'] ?? '')?.[1] ?? 0)
  const now = '2026-03-02T09:00:00.000Z'
  const rest = { completed: false, createdAt: now, updatedAt: now, clientId: null }
  return { id, _id: id, version: base + 1, textVersion: base + 1, articleText, ...rest }
}
