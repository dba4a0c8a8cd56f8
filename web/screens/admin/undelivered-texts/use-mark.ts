import type { UndeliveredText } from '../../../../domain/wire/undelivered.ts'
import { notices } from '../../../app/notices.ts'
import { useChange } from '../use-change.ts'
import { useUndeliveredTexts } from '../use-remote.ts'

/** `make(true)` says that an admin dealt with the text, `make(false)` that it is to be looked at again. */
export function useMark({ id, article }: UndeliveredText, onDone: () => void = () => {}) {
  const undeliveredTexts = useUndeliveredTexts()
  return useChange<boolean>({
    call: (done) => undeliveredTexts.mark(id, done),
    failure: 'Error marking text',
    onDone: (done) => {
      notices.success(done ? 'Marked as done' : 'Marked as not done', article.name)
      onDone()
    },
  })
}
