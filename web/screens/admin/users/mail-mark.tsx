import { useMailState } from '../use-mail-state.ts'
import classes from './mail-mark.module.css'

/** Next to the name of a user whose address takes no mails. */
export function MailMark({ userId }: { userId: string }) {
  if (!useMailState()?.unreachable.includes(userId)) return null
  return (
    <span
      className={classes.mark}
      title="Mail servers refused this address three times. It gets no mails about articles."
    >
      Mails don’t arrive
    </span>
  )
}
