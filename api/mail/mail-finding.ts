import type { Finding } from '../operations/findings.ts'
import type { MailDelivery } from './mail-delivery-rows.ts'

/** Mails that wait between two attempts are no fault. */
export function mailFinding(delivery: MailDelivery): Finding {
  const { left_at: leftAt, failing_since: failing, waiting, oldest, refused } = delivery
  const isFailing = failing !== null && failing > (leftAt ?? '')
  const says = [
    leftAt === null ? 'none left yet' : `the last one left ${leftAt}`,
    oldest === null ? 'none waits' : `${waiting} waiting, the oldest since ${oldest}`,
    ...(Number(refused) > 0 ? [`${refused} refused`] : []),
    ...(isFailing ? [`none has left since ${failing}`] : []),
  ]
  return { name: 'mail', isWell: !isFailing, says: says.join(', ') }
}
