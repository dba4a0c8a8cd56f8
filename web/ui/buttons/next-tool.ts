/** Where the arrow keys lead from tool `index` of `count` in a toolbar; null for any other key. */
export function nextTool(key: string, index: number, count: number): number | null {
  if (index < 0) return null
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
