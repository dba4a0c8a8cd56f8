import type { Deps } from '../../deps.ts'
import type { Mail } from '../../mail/mailer.ts'
import { runOutbox } from '../../mail/outbox.ts'
import { queueArticleMails } from '../../mail/queue-article-mails.ts'
import { queueMorningMails } from '../../mail/queue-morning-mails.ts'
import type { World } from './mail-world.ts'

/**
 * Runs the outbox of one node, of both at once, or of one that dies and then the other. Returns the mail that was being sent
 * when a node died; null if none was.
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
 * Sends `count` mails, then dies before the response to the next one. `isTaken`: whether the mail server accepted that one.
 * Returns it; null if there were no more than `count` mails.
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
