/** `theirs` with what `mine` added to `before`, and without what it took away. */
export function mergeUsers<User extends { id: string }>(
  before: readonly User[],
  mine: readonly User[],
  theirs: readonly User[],
): User[] {
  const has = (users: readonly User[], { id }: User) => users.some((user) => user.id === id)
  const kept = theirs.filter((user) => has(mine, user) || !has(before, user))
  const added = mine.filter((user) => !has(before, user) && !has(theirs, user))
  return [...kept, ...added]
}
