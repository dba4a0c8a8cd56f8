import { describe, expect, it } from 'vitest'
import { createDates, STANDARD } from '../../../../domain/calendar/dates.ts'
import type { Invitation } from '../../../../domain/wire/invitations.ts'
import { invitationWords } from './invitation-words.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SENT = new Date(2026, 10, 20, 18, 41).getTime()
const dates = createDates(STANDARD)

const wordsOf = (state: Invitation['state'], later: number) =>
  invitationWords(
    {
      userId: 'u1',
      sentAt: new Date(SENT).toISOString(),
      until: new Date(SENT + 7 * DAY).toISOString(),
      state,
    },
    SENT + later,
    dates,
  )

describe('an invitation', () => {
  it('is good until its last minute', () => {
    expect(wordsOf('sent', MINUTE)).toEqual({
      line: 'Invited, not in yet',
      details: 'Sent today at 18:41. Good until 27 November, 18:41.',
      isOver: false,
    })
    expect(wordsOf('sent', 7 * DAY - MINUTE)).toMatchObject({
      details: 'Sent on 20 November at 18:41. Good until 18:41.',
      isOver: false,
    })
  })

  it.each([
    [0, 'today'],
    [DAY, 'yesterday'],
    [5 * DAY, '27 November'],
  ])('%i ms after its end it ran out %s', (later, day) => {
    expect(wordsOf('sent', 7 * DAY + later)).toEqual({
      line: `Invitation ran out ${day}`,
      details: `Ran out ${day}.`,
      isOver: true,
    })
  })

  it('waits for the mail server, which is said after a minute', () => {
    expect(wordsOf('queued', MINUTE).line).toBe('Invited, not in yet')
    expect(wordsOf('queued', MINUTE + 1)).toEqual({
      line: 'Invitation not sent yet',
      details: 'Not sent yet. The server keeps trying.',
      isOver: false,
    })
    expect(wordsOf('queued', 7 * DAY).line).toBe('Invitation ran out today')
  })

  it('is over when the mail server refused it, and when a reset link replaced it is not', () => {
    expect(wordsOf('refused', MINUTE)).toMatchObject({
      line: 'Invitation could not be sent',
      isOver: true,
    })
    expect(wordsOf('replaced', 8 * DAY)).toMatchObject({
      line: 'Invited, not in yet',
      isOver: false,
    })
  })
})
