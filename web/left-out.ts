import { notices } from './app/notices.ts'

/** How many of each were in a paste or a drop and are not in the text. */
export type LeftOut = { pictures?: number; comments?: number; deletions?: number; files?: number }

const NAMES = {
  pictures: 'picture',
  comments: 'comment',
  deletions: 'tracked deletion',
  files: 'file',
} as const

/** One snackbar for all that one paste or drop left out; none when that is nothing. */
export function sayLeftOut(leftOut: LeftOut): void {
  const parts = (Object.keys(NAMES) as (keyof LeftOut)[]).flatMap((kind) => {
    const count = leftOut[kind] ?? 0
    return count === 0 ? [] : [{ count, words: `${count} ${NAMES[kind]}${count === 1 ? '' : 's'}` }]
  })
  if (parts.length === 0) return
  const list = parts.map(({ words }) => words)
  const last = list.pop()
  const all = [list.join(', '), last].filter(Boolean).join(' and ')
  const isOne = parts.length === 1 && parts[0]?.count === 1
  notices.info(
    `${all} ${isOne ? 'was' : 'were'} left out`,
    leftOut.deletions ? 'Changes came as if all were accepted.' : 'Articles are text only.',
  )
}
