import { PRESENCE_NAMES_MAX } from '../../domain/limits.ts'
import type { Others, Present } from '../../domain/wire/presence.ts'
import type { Visitor } from './open-articles.ts'

/** The users behind these sessions, those who write first. A user with several pages is one, and writes if one of them does. */
export function peopleOf(visitors: readonly Visitor[]): Present[] {
  const people = new Map<string, Present>()
  for (const { userId, name, article } of visitors) {
    const known = people.get(userId)
    if (known?.writing && !article.writing) continue
    people.set(userId, { id: userId, name, writing: article.writing, blocks: article.blocks })
  }
  return [...people.values()].sort(
    (a, b) => Number(b.writing) - Number(a.writing) || inOrderOfNames(a, b),
  )
}

/** What one of them sees of the others: the first few, in the order of their names, so that no name moves while they type. */
export function othersOf(articleId: string, people: readonly Present[], userId: string): Others {
  const named = people.filter(({ id }) => id !== userId).slice(0, PRESENCE_NAMES_MAX)
  const isThere = people.some(({ id }) => id === userId)
  const count = people.length - (isThere ? 1 : 0)
  return { articleId, people: named.sort(inOrderOfNames), count }
}

const inOrderOfNames = (a: Present, b: Present): number =>
  compare(a.name, b.name) || compare(a.id, b.id)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
