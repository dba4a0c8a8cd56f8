import { describe, expect, test } from 'vitest'
import { depth, runCount } from '../../scripts/test-depth.ts'
import { corpus } from './corpus.ts'
import { runSchedule } from './schedule.ts'
import { firstFailure, firstFailureOfMany, report, seeds } from './search.ts'
import { mixed, runsShare, settlerOfFile, withNotes } from './share.ts'

/**
 * The real sync core over IndexedDB and the real API over SQLite, two or three devices with up to three tabs each.
 * Requests and responses get lost, late and doubled, the server restarts and is restored from a backup, tokens expire,
 * tabs and browsers crash, disks are full, databases break, clocks jump, writers stop in the middle of a word, paste,
 * split, join and move blocks, type sentences at one place and take turns at a device, event streams are cut or fall
 * silent, articles are completed and reopened. In the end:
 *
 * - every word that was written to a device's database is in the server's text (or, where a client without our headers
 *   overwrote it, in a revision; where the server lost it with an old epoch, in the text or kept on a device);
 * - what a user typed in one go is in one piece in the text, or what another change left of it;
 * - no address of a link is lost while its word is there;
 * - no word is duplicated (of a long run's words 0.02 % may), and each was sent by the user who typed it, also where
 *   two users share a device;
 * - no idempotency key was applied twice;
 * - every draft and every open editor shows the server's text, and nothing is pending;
 * - no user was signed out;
 * - the save line never showed 'saved' for a text that the server did not have;
 * - no page was silent about words that it could not write;
 * - every completion has one receipt of its very text, every note is there once and in its writer's order, and every
 *   device has both;
 * - what an admin changes reaches every device by a change notification, over one stream for each browser profile.
 */
const settler = settlerOfFile()
/** In each of three wilder worlds. */
const WILD = runCount('SIMULATION_WILD')
/** A schedule takes a fifth of a second where the machine does nothing else. */
const TIME_LIMIT_MS = 300_000 + WILD * 10_000

describe('no word is lost, no change applied twice, all copies become the same', {
  tags: [
    '@SY-11',
    '@fault-1',
    '@fault-2',
    '@fault-3',
    '@fault-5',
    '@fault-6',
    '@fault-7',
    '@fault-14',
    '@fault-15',
    '@fault-16',
    '@fault-18',
    '@fault-19',
    '@fault-21',
    '@fault-22',
    '@fault-24',
    '@fault-28',
    '@fault-29',
    '@fault-30',
    '@fault-34',
    '@fault-38',
    '@fault-39',
    '@fault-41',
    '@fault-42',
    '@fault-49',
    '@fault-52',
  ],
}, () => {
  test.each(depth === 'quick' ? corpus.slice(-4) : corpus)(
    'in schedule $seed: $fault',
    { timeout: TIME_LIMIT_MS },
    async ({ seed, fault: _, ...mix }) => {
      const failure = await firstFailure(settler(), [seed], mix)
      expect(failure && report(failure)).toBeNull()
    },
  )

  test(`in ${WILD} schedules: people type sentences, storage fails in two of five, most have something of variety.ts, and in half of them the server is put back to a backup`, {
    tags: ['@fault-43'],
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const failure = await firstFailure(settler(), seeds(1, WILD), mixed)
    expect(failure && report(failure)).toBeNull()
  })

  test(`in ${WILD} schedules: something takes headers off, refuses, packs, keeps or repeats what goes between page and server`, {
    tags: ['@fault-71', '@fault-73'],
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const behind = { hasSentences: true, hasMiddlebox: true }
    const failure = await firstFailureOfMany(settler(), seeds(1, WILD), behind)
    expect(failure && report(failure)).toBeNull()
  })

  test(`in ${WILD} schedules: words and sentences recur, texts are pasted and sections moved, in addition to all that is mixed`, {
    tags: ['@fault-23'],
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const inProse = { ...mixed, hasEverydayProse: true }
    const failure = await firstFailureOfMany(settler(), seeds(1, WILD), inProse)
    expect(failure && report(failure)).toBeNull()
  })

  test(`in ${WILD} schedules: words become links, in addition to all that is mixed, and no address is lost`, {
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const linking = { ...mixed, hasLinks: true }
    const failure = await firstFailureOfMany(settler(), seeds(1, WILD), linking)
    expect(failure && report(failure)).toBeNull()
  })

  test(`in ${WILD} schedules: notes are written too, in addition to all that is mixed`, {
    tags: ['@fault-82', '@fault-83'],
    timeout: TIME_LIMIT_MS,
  }, async () => {
    const failure = await firstFailureOfMany(settler(), seeds(1, WILD), withNotes)
    expect(failure && report(failure)).toBeNull()
  })

  runsShare(0, settler)
})

describe('one seed is one history', () => {
  test('the same seed gives the same log', async () => {
    const [once, again] = [await runSchedule(7, settler()), await runSchedule(7, settler())]
    expect(again.log).toEqual(once.log)
  })
})
