import type { Stray } from '../../../../domain/wire-strays.ts'
import { notices } from '../../../app/notices.ts'
import { useChange } from '../use-change.ts'
import { useStrays } from '../use-remote.ts'

/** `make(true)` says that an admin dealt with the text, `make(false)` that it is to be looked at again. */
export function useMark({ id, article }: Stray, onDone: () => void = () => {}) {
  const strays = useStrays()
  return useChange<boolean>({
    call: (done) => strays.mark(id, done),
    failure: 'Error marking text',
    onDone: (done) => {
      notices.success(done ? 'Marked as done' : 'Marked as not done', article.name)
      onDone()
    },
  })
}
