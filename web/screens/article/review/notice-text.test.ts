import { expect, test } from 'vitest'
import type { BothPlace } from '../../../../sync/editing/both-places.ts'
import type { ElsewhereChanges } from '../../../../sync/editing/remote-changes.ts'
import { noticeText } from './notice-text.ts'

const [tobias, ada, me] = ['Tobias Wren', 'Ada Fenwick', 'Imogen Hale'].map((name) => ({
  id: name,
  name,
})) as [Author, Author, Author]
type Author = { id: string; name: string }

const place = (by: Author[], areSentences = true): BothPlace => ({
  theirs: [{ from: 0, to: 1 }],
  mine: [{ from: 1, to: 2 }],
  by,
  areSentences,
})

type Said = [kinds: ElsewhereChanges['kinds'], both: BothPlace[], text: string]

const placed = (places: BothPlace[]) => (places.length > 0 ? { text: {}, places } : null)

test.each<Said>([
  [{ away: [tobias] }, [], 'Tobias Wren wrote here since you were last here.'],
  [{ away: [tobias, me] }, [], 'This article was changed since you were last here.'],
  [{ open: [tobias] }, [], 'Tobias Wren changed this article while it was open here.'],
  [{ open: [] }, [], 'This article was changed elsewhere while it was open here.'],
  [
    { merged: [tobias, ada] },
    [],
    'Tobias Wren and Ada Fenwick’s changes were merged with yours. Your earlier version is saved.',
  ],
  [{ merged: [me] }, [], 'This article was also changed elsewhere; both versions were combined.'],
  [
    { away: [tobias], open: [ada] },
    [],
    'Tobias Wren wrote here since you were last here. Ada Fenwick changed this article while it was open here.',
  ],
  [
    { merged: [tobias] },
    [place([tobias])],
    'Tobias Wren also wrote at this place; both sentences are here, theirs first.',
  ],
  [
    { merged: [tobias] },
    [place([tobias], false)],
    'Tobias Wren also wrote at this place; both texts are here, theirs first.',
  ],
  [
    { merged: [tobias] },
    [place([tobias]), place([tobias], false)],
    'Tobias Wren also wrote at 2 places; both texts are at each of them, theirs first.',
  ],
  [
    { merged: [tobias, ada] },
    [place([tobias]), place([ada])],
    'Tobias Wren and Ada Fenwick also wrote at 2 places; both sentences are at each of them, theirs first.',
  ],
  [
    { merged: [tobias, ada] },
    [place([tobias, ada])],
    'Tobias Wren and Ada Fenwick also wrote at this place; all sentences are here, theirs first.',
  ],
  [
    { merged: [] },
    [place([])],
    'Another writer also wrote at this place; both sentences are here, theirs first.',
  ],
  [
    { merged: [me] },
    [place([me])],
    'You also wrote at this place on another computer; both sentences are here, those from there first.',
  ],
  [
    { open: [ada], merged: [tobias, ada] },
    [place([tobias])],
    'Ada Fenwick changed this article while it was open here. Tobias Wren also wrote at this place; both sentences are here, theirs first. Ada Fenwick’s changes were merged with yours. Your earlier version is saved.',
  ],
])('%j with %j', (kinds, both, text) => {
  const by = Object.values(kinds).flat()
  const row = { before: {}, after: {}, by, kinds, at: 0, both: placed(both), unshown: null }
  expect(noticeText(row, me.id)).toBe(text)
})
