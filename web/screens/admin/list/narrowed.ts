import { foldName } from '../../../../domain/names/folded-name.ts'

/**
 * Filters the previous results while the next request is pending, so that no option can be picked that no longer
 * matches the text. The server's results for the current text are never filtered.
 */
export function narrowed<T extends { name: string }>(
  earlier: readonly T[] | undefined,
  search: string,
): T[] | undefined {
  const left = earlier?.filter(({ name }) => foldName(name).includes(foldName(search).trim()))
  return left?.length === 0 ? undefined : left
}
