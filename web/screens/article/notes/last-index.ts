/**
 * Returns the largest index below `count` for which `has` is true, or null if there is none. Searches backwards in steps
 * that double, then bisects. The result is only exact if `has` is true for one contiguous range that starts at index 0 or
 * 1; with several ranges it may return the end of an earlier one.
 */
export async function lastIndex(
  count: number,
  has: (index: number) => Promise<boolean>,
): Promise<number | null> {
  let [held, failed] = [count - 1, count]
  for (let step = 1; held >= 0 && !(await has(held)); step *= 2) {
    failed = held
    // Index 1 is tested before index 0, because the range may start there.
    held = held > 1 ? Math.max(1, held - step) : held - 1
  }
  if (held < 0) return null
  while (failed - held > 1) {
    const middle = Math.floor((held + failed) / 2)
    if (await has(middle)) held = middle
    else failed = middle
  }
  return held
}
