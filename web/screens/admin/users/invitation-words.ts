import type { Dates } from '../../../../domain/calendar/dates.ts'
import { momentInSentence, relativeDay } from '../../../../domain/calendar/moments.ts'
import type { Invitation } from '../../../../domain/wire/invitations.ts'

/** A mail usually leaves within seconds. */
const USUAL_MS = 60_000

type InvitationWords = {
  /** In the list of users. */
  line: string
  /** More about it, for the tip of that line and for the account itself. */
  details: string
  /** Whether the link cannot be used: it has to be sent again. */
  isOver: boolean
}

/** What an admin reads about an invitation that was not used yet. */
export function invitationWords(
  { sentAt, until, state }: Invitation,
  now: number,
  dates: Dates,
): InvitationWords {
  if (state === 'refused')
    return {
      line: 'Invitation could not be sent',
      details: 'Could not be sent. Check the e-mail address.',
      isOver: true,
    }
  const sent = `Sent ${momentInSentence(sentAt, now, dates)}.`
  if (state === 'replaced')
    return {
      line: 'Invited, not in yet',
      details: `${sent} A new link was requested since.`,
      isOver: false,
    }
  if (Date.parse(until) <= now) {
    const day = dayInSentence(until, now, dates)
    return { line: `Invitation ran out ${day}`, details: `Ran out ${day}.`, isOver: true }
  }
  if (state === 'queued' && now - Date.parse(sentAt) > USUAL_MS)
    return {
      line: 'Invitation not sent yet',
      details: 'Not sent yet. The server keeps trying.',
      isOver: false,
    }
  return {
    line: 'Invited, not in yet',
    details: `${sent} Good until ${dates.timeOf(until, now)}.`,
    isOver: false,
  }
}

function dayInSentence(at: string, now: number, dates: Dates): string {
  const day = relativeDay(at, now, dates)
  return day === 'Today' || day === 'Yesterday' ? day.toLowerCase() : day
}
