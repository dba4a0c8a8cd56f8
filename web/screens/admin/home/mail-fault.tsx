import { MailWarning } from 'lucide-react'
import { useClock } from '../../../app/app-context.tsx'
import { useDates } from '../../../app/use-dates.ts'
import { Banner } from '../../../ui/page/banner.tsx'
import { useMailState } from '../use-mail-state.ts'
import classes from './mail-fault.module.css'

const waitingWords = (count: number): string =>
  count === 1 ? '1 mail is waiting.' : `${count} mails are waiting.`

/** Shown while the mail server takes no mails. */
export function MailFault() {
  const state = useMailState()
  const dates = useDates()
  const clock = useClock()
  if (!state?.failingSince) return null
  return (
    <div className={classes.place}>
      <Banner kind="warning" icon={MailWarning}>
        <strong>Mails have not left since {dates.timeOf(state.failingSince, clock.now())}.</strong>{' '}
        {state.waiting > 0 && waitingWords(state.waiting)}
      </Banner>
    </div>
  )
}
