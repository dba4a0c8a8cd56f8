export const offsetOf = ({ page, limit }: { page: number; limit: number }): number =>
  (page - 1) * limit

/** OFFSET reads all that it skips, so a page of `total` rows is read from the nearer end. */
export function nearerSpan(
  { page, limit }: { page: number; limit: number },
  total: number,
): { offset: number; length: number; isBackwards: boolean } {
  const start = offsetOf({ page, limit })
  const length = Math.max(0, Math.min(limit, total - start))
  const after = total - start - length
  return after < start
    ? { offset: after, length, isBackwards: true }
    : { offset: start, length, isBackwards: false }
}
