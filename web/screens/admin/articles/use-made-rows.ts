import { useState } from 'react'
import type { Article } from '../../../../domain/wire/articles.ts'
import { type ListAddress, writeListAddress } from '../list/list-address.ts'

/** The articles that were made just now, newest first: until the list is sorted, searched, filtered, paged or left. */
export function useMadeRows(address: ListAddress) {
  const shown = writeListAddress(address).toString()
  const [{ at, rows }, setMade] = useState<{ at: string; rows: readonly Article[] }>({
    at: shown,
    rows: [],
  })
  const present = at === shown ? rows : []
  const change = (next: (rows: readonly Article[]) => readonly Article[]) =>
    setMade((made) => ({ at: shown, rows: next(made.at === shown ? made.rows : []) }))
  return {
    rows: present,
    has: ({ id }: Article) => present.some((row) => row.id === id),
    add: (article: Article) => change((before) => [article, ...before]),
    replace: (article: Article) =>
      change((before) => before.map((row) => (row.id === article.id ? article : row))),
    remove: (id: string) => change((before) => before.filter((row) => row.id !== id)),
  }
}
