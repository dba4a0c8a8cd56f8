import type { ArticleNote } from '../../../../domain/wire/notes.ts'
import { shortened } from '../../../ui/words/shortened.ts'

/** What happened to a note about words, as an entry of the article's log. */
export type NoteEvent = { id: string; at: string; by: string; what: string }

const QUOTE_LENGTH = 60

/** The newest first. Notes that were taken back are left out. */
export function noteEvents(notes: readonly ArticleNote[]): NoteEvent[] {
  const quotes = new Map(
    notes.flatMap(({ ref, anchor }) =>
      ref && anchor ? [[ref, shortened(anchor.quote, QUOTE_LENGTH)]] : [],
    ),
  )
  const events = notes.flatMap(({ id, createdAt: at, author, kind, body, ref, to }) => {
    const quote = quotes.get(to ?? ref ?? '')
    const isEmpty = kind === 'answer' && body === ''
    const what = quote === undefined || isEmpty ? null : phraseOf(kind, `‘${quote}’`)
    return what === null ? [] : [{ id, at, by: author.name, what }]
  })
  return events.reverse()
}

function phraseOf(kind: ArticleNote['kind'], quote: string): string | null {
  switch (kind) {
    case 'note':
      return `Note about ${quote}`
    case 'answer':
      return `Answer to the note about ${quote}`
    case 'done':
      return `Note about ${quote} done`
    case 'open':
      return `Note about ${quote} opened again`
    default:
      return null
  }
}
