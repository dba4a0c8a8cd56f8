import { normaliseKeyword, scorecardGroups } from '../../../../domain/keywords/keyword.ts'
import { fold } from '../../../../domain/text/folding.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import type { SeenEntity } from '../../../../sync/store/database.ts'

/** What the agency changed in the entities of an article. */
export type ChangedEntities = {
  added: string[]
  removed: string[]
  /** Those that are in another group now. */
  moved: string[]
}

/** The entities as the scorecard has them: each once, in its group. */
export const seenEntities = (list: readonly Keyword[]): SeenEntity[] =>
  scorecardGroups(list).flatMap(({ category, keywords }) =>
    keywords.map((keyword) => ({ keyword, category })),
  )

/** Null when nothing is different. Two spellings of the same letters are one entity, as in the scorecard. */
export function changedEntities(
  before: readonly SeenEntity[],
  after: readonly SeenEntity[],
): ChangedEntities | null {
  const [old, present] = [byLetters(before), byLetters(after)]
  const added = after.filter((entity) => !old.has(lettersOf(entity)))
  const removed = before.filter((entity) => !present.has(lettersOf(entity)))
  const moved = after.filter((entity) => {
    const known = old.get(lettersOf(entity))
    return known !== undefined && known.category !== entity.category
  })
  if (added.length + removed.length + moved.length === 0) return null
  return { added: namesOf(added), removed: namesOf(removed), moved: namesOf(moved) }
}

const lettersOf = ({ keyword }: SeenEntity): string => fold(normaliseKeyword(keyword))

const byLetters = (entities: readonly SeenEntity[]) =>
  new Map(entities.map((entity) => [lettersOf(entity), entity]))

const namesOf = (entities: readonly SeenEntity[]): string[] =>
  entities.map(({ keyword }) => keyword)

/** The first sentence of the notice. `used` counts those of the removed ones that the text uses. */
export function changeWords({ added, removed, moved }: ChangedEntities, used: number): string {
  const parts = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed${usedWords(used, removed.length)}`] : []),
  ]
  return `${parts.length > 0 ? parts.join(', ') : `${moved.length} moved to another group`}.`
}

function usedWords(used: number, removed: number): string {
  if (used === 0) return ''
  if (removed === 1) return ', which you use'
  return used === 1 ? ', one of which you use' : `, ${used} of which you use`
}

/** A list of names for the second sentence: the first eight, and how many more there are. */
export function listedNames(names: readonly string[]): { names: string[]; more: number } {
  const most = 8
  return { names: names.slice(0, most), more: Math.max(0, names.length - most) }
}
