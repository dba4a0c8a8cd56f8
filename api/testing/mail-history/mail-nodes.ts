import type { Deps } from '../../deps.ts'
import type { Mail } from '../../mail/mailer.ts'
import { runOutbox } from '../../mail/outbox.ts'
import { queueArticleMails } from '../../mail/queue-article-mails.ts'
import { queueMorningMails } from '../../mail/queue-morning-mails.ts'
import type { World } from './mail-world.ts'

/**
 * The outbox of one node runs, or of both at once, or one node dies somewhere and then the other one runs. Returns the mail
 * during which a node died; null without one.
 */
export async function runNodes({ nodes, random }: World): Promise<Mail | null> {
  const [first, second] = random.below(2) === 0 ? nodes : [nodes[1], nodes[0]]
  let interrupted: Mail | null = null
  switch (random.below(8)) {
    case 0:
      await Promise.all([runOutbox(first), runOutbox(second)])
      break
    case 1:
      await queueArticleMails(first)
      break
    case 2:
      await queueArticleMails(first)
      await queueMorningMails(first)
      break
    case 3:
    case 4:
      interrupted = await dieSending(first, random.below(3), random.below(2) === 0)
  }
  await runOutbox(second)
  return interrupted
}

/**
 * The node sends `count` mails and dies before the answer to the next one. `isTaken`: whether the mail server took that.
 * Returns it; null when there were no more than `count`.
 */
function dieSending(node: Deps, count: number, isTaken: boolean): Promise<Mail | null> {
  let sent = 0
  return new Promise((resolve, reject) => {
    const send = async (mail: Mail) => {
      if (sent < count || isTaken) await node.mailer.send(mail)
      sent += 1
      if (sent <= count) return
      resolve(mail)
      await new Promise(() => {})
    }
    runOutbox({ ...node, mailer: { send } }).then(() => resolve(null), reject)
  })
}
