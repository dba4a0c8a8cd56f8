import { expect, it } from 'vitest'
import { runCount } from '../../scripts/test-depth.ts'
import { addDays, dayAt, timeOf } from '../testing/mail-history/agency-time.ts'
import {
  type ExpectedMail,
  expectedMails,
  isOfMorning,
  keyOfMail,
} from '../testing/mail-history/expected-outbox.ts'
import { runNodes } from '../testing/mail-history/mail-nodes.ts'
import { takeStep } from '../testing/mail-history/mail-steps.ts'
import { createWorld, foreignNames, type World } from '../testing/mail-history/mail-world.ts'
import type { Mail } from './mailer.ts'

/**
 * Random histories of days around a change of the clocks. A model keeps the state of the agency itself, and says for each
 * moment at which the nodes run which mails leave and what they say.
 */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const STEPS = 40

/** Moves the clock, runs the nodes, and compares what they sent with the model. */
async function letPass(w: World, ms: number): Promise<void> {
  const { app } = w
  app.clock.advance(ms)
  const interrupted = await runNodes(w)
  const taken = app.sentMail.splice(0)
  const expected = expectedMails(w, interrupted && keyOfMail(interrupted))

  const isLost = interrupted !== null && !taken.includes(interrupted)
  const handedOver = isLost ? [...taken, interrupted] : taken
  const about = new Date(app.clock.now()).toISOString()
  const sent = handedOver.map((mail) => ({ key: keyOfMail(mail), says: saysOf(mail) }))
  expect(linesOf(sent), about).toEqual(linesOf(expected))
  for (const mail of handedOver) {
    expectOwnId(w, mail, expected)
    for (const name of foreignNames(w, mail.to))
      expect([mail.subject, mail.text, mail.html].join(), about).not.toContain(name)
  }
}

const linesOf = (mails: readonly { key: string; says: readonly string[] }[]): string[] =>
  mails.map(({ key, says }) => [key, ...says].join('\n')).sort()

/** A mail that is sent again must have its earlier Message-ID, any other mail a new one. */
function expectOwnId({ messageIds }: World, mail: Mail, expected: readonly ExpectedMail[]): void {
  const queued = expected.find(({ key }) => key === keyOfMail(mail))?.queued
  const { messageId = '' } = mail
  if (queued?.messageId) expect(messageId).toBe(queued.messageId)
  else expect(messageIds).not.toContain(messageId)
  if (queued) queued.messageId = messageId
  messageIds.add(messageId)
}

/** Returns what a mail about an article says of its news, and the lines of the mail of the morning. */
const saysOf = ({ subject, text }: Mail): string[] =>
  isOfMorning(subject) ? linesOfMorning(text) : newsIn(text)

const newsIn = (text: string): string[] => [
  ...(text.includes(' reopened this article ') ? ['reopened'] : []),
  ...(text.includes(' handed in this article ') ? ['handed in'] : []),
  ...(text.match(/(?<=^> )\S+$|(?<=^And )\d+ more(?=\.$)/gm) ?? []),
]

/** Returns the lines of the mail, each with its heading. */
function linesOfMorning(text: string): string[] {
  let head = ''
  return text
    .split('\n\n')
    .flatMap((block) => {
      if (/^[A-Z\d ]+$/.test(block)) head = block
      const lines = block.matchAll(/^- (.+)\n {2}(.+)$/gm)
      return [...lines].map(([, title, facts]) => `${head}: ${title}: ${facts}`)
    })
    .sort()
}

/** Mostly minutes, sometimes a night, seldom hours or days in which no node ran. */
async function letTimePass(w: World): Promise<void> {
  const { random } = w
  const kind = random.below(40)
  if (kind < 1) return letPass(w, (1 + random.below(8)) * DAY)
  if (kind < 3) return letPass(w, random.below(16 * 60) * MINUTE)
  if (kind < 8) return letNightPass(w)
  for (let minutes = random.below(6); minutes > 0; minutes--) await letPass(w, MINUTE)
}

/** The nodes run a minute before 7:00, and at 7:00. */
async function letNightPass(w: World): Promise<void> {
  const { app, zone } = w
  const now = app.clock.now()
  const day = dayAt(zone, now)
  const today = timeOf(zone, day, 7)
  const morning = today > now ? today : timeOf(zone, addDays(day, 1), 7)
  if (morning - now > MINUTE) await letPass(w, morning - now - MINUTE)
  await letPass(w, morning - app.clock.now())
}

const seeds = Array.from({ length: runCount('MAIL_HISTORIES') }, (_, at) => at + 1)

// One test for each seed, so that its database is released before the next.
it.each(seeds)('the mails of a random history are those of a model, seed %i', async (seed) => {
  const w = await createWorld(seed)
  for (let count = 0; count < STEPS; count++) {
    await takeStep(w)
    await letTimePass(w)
  }
  while (w.queue.length > 0 || w.articles.some(({ news }) => news.size > 0))
    await letPass(w, MINUTE)
})
