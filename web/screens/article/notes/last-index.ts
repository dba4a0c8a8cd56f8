/**
 * Returns the last of `count` indices for which `has` holds, or null without one: it looks back from the end in growing
 * steps, and then between the last two. `has` is expected to hold for one run of them, which begins with the first or the
 * second. Of several runs, the last one may be missed.
 */
export async function lastIndex(
  count: number,
  has: (index: number) => Promise<boolean>,
): Promise<number | null> {
  let [held, failed] = [count - 1, count]
  for (let step = 1; held >= 0 && !(await has(held)); step *= 2) {
    failed = held
    // The first is not looked at before the second.
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
