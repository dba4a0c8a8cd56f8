import { expect, test } from 'vitest'
import type { ElsewhereChanges } from '../../../../sync/editing/remote-changes.ts'
import { noticeText } from './notice-text.ts'

const [tobias, ada, me] = ['Tobias Wren', 'Ada Fenwick', 'Imogen Hale'].map((name) => ({
  id: name,
  name,
})) as [Author, Author, Author]
type Author = { id: string; name: string }

type Said = [kinds: ElsewhereChanges['kinds'], text: string]

test.each<Said>([
  [{ away: [tobias] }, 'Tobias Wren wrote here since you were last here.'],
  [{ away: [tobias, me] }, 'This article was changed since you were last here.'],
  [{ open: [tobias] }, 'Tobias Wren changed this article while it was open here.'],
  [{ open: [] }, 'This article was changed elsewhere while it was open here.'],
  [
    { merged: [tobias, ada] },
    'Tobias Wren and Ada Fenwick’s changes were merged with yours. Your earlier version is saved.',
  ],
  [{ merged: [me] }, 'This article was also changed elsewhere; both versions were combined.'],
  [
    { away: [tobias], open: [ada] },
    'Tobias Wren wrote here since you were last here. Ada Fenwick changed this article while it was open here.',
  ],
])('%j', (kinds, text) => {
  const by = Object.values(kinds).flat()
  const row = { before: {}, after: {}, by, kinds, at: 0, unshown: null }
  expect(noticeText(row, me.id)).toBe(text)
})
