import type { Viewer } from '../../domain/access/permissions.ts'
import { COPIES_BYTES } from '../../domain/limits.ts'
import type { Copies, Copy } from '../../domain/wire/copies.ts'
import type { Database } from '../deps.ts'
import { lastHandIns } from '../hand-ins/hand-in-rows.ts'
import { notesOf } from '../notes/note-rows.ts'
import { findPlans, NOT_PLANNED } from '../plans/plan-rows.ts'
import { type ArticleWithText, findMarkedArticles } from './article-rows.ts'

type StoredCopy = Omit<Copy, 'article'> & { article: ArticleWithText }

/** The articles that this viewer may read, with plan, receipts and notes, in the order of the ids. */
export async function findCopies(
  db: Database,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ copies: StoredCopy[] } & Pick<Copies, 'rest'>> {
  const { articles, rest } = await findMarkedArticles(db, viewer, ids, COPIES_BYTES)
  const idsWith = (mark: 'plan_counter' | 'hand_ins' | 'notes'): string[] =>
    articles.filter((article) => article[mark]).map(({ id }) => id)
  const plans = await findPlans(db, idsWith('plan_counter'))
  const handIns = await lastHandIns(db, idsWith('hand_ins'))
  const notes = await notesOf(db, idsWith('notes'))
  const copies = articles.map((article) => ({
    article,
    plan: plans.get(article.id) ?? NOT_PLANNED,
    handIns: handIns.get(article.id) ?? [],
    notes: notes.get(article.id) ?? [],
  }))
  return { copies, rest }
}
