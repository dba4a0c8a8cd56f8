import { foldName } from '../../../domain/folded-name.ts'

/**
 * What is left of an earlier answer while the next one is on its way: nobody should be able to pick what
 * no longer fits the text. The server's own answer is never narrowed.
 */
export function narrowed<T extends { name: string }>(
  earlier: readonly T[] | undefined,
  search: string,
): T[] | undefined {
  const left = earlier?.filter(({ name }) => foldName(name).includes(foldName(search).trim()))
  return left?.length === 0 ? undefined : left
}
