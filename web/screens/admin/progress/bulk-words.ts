import { enumerated } from '../../../../domain/names/enumerated.ts'
import type { BulkAnswer } from '../../../../domain/wire/progress.ts'
import { Refused } from '../../../remote/http.ts'
import { counted, figure } from '../../../ui/words/figure.ts'
import { refusalWords } from '../../../ui/words/refusal-words.ts'

/** What a change of several articles would do, from the server's dry run, and what became of it. */

const verb = (count: number, one: string, several: string) => (count === 1 ? one : several)

export function dueSentence({ articles, earlier }: BulkAnswer): string {
  const get = `${counted(articles, 'article')} ${verb(articles, 'gets', 'get')} this date.`
  if (earlier === 0) return get
  return articles === 1
    ? `${get} It had an earlier one.`
    : `${get} ${figure(earlier)} of them had an earlier one.`
}

export function minimumSentence({ articles, longer }: BulkAnswer): string {
  const get = `${counted(articles, 'article')} ${verb(articles, 'gets', 'get')} this minimum.`
  if (longer === 0) return get
  return articles === 1
    ? `${get} It is longer already.`
    : `${get} ${figure(longer)} ${verb(longer, 'is', 'are')} longer already.`
}

/** More people than this are only counted. */
const NAMED = 3

/** `client` null: it is taken away. */
export function clientSentence({ changed, losing }: BulkAnswer, client: string | null): string {
  if (changed === 0) return 'Nothing would change.'
  const moved = counted(changed, 'article')
  const move =
    client === null
      ? `${moved} will have no client.`
      : `${moved} ${verb(changed, 'moves', 'move')} to ${client}.`
  if (losing.count === 0) return move
  const named = losing.names.slice(0, NAMED)
  const more = losing.count - named.length
  const people = enumerated(more > 0 ? [...named, `${figure(more)} more`] : named)
  return `${move} ${people} ${verb(losing.count, 'loses', 'lose')} access.`
}

export const changedText = (changed: number): string => `${counted(changed, 'article')} changed`

/** Why a change was not made; without an answer that is not known, as it may have arrived. */
export function failureText(error: unknown): string {
  if (!(error instanceof Refused))
    return 'No answer came, so the articles may have been changed. Try again.'
  return `Nothing was changed. ${error.status === GONE ? DELETED : refusalWords(error.message)}`
}

const GONE = 404
/** What is ticked and was deleted is in no row, so it cannot be unticked alone. */
const DELETED =
  'One of these articles was deleted. Clear the selection and select the others again.'

export const OFFLINE = 'Nothing was changed. You’re offline.'
