import { dayIn } from '../../domain/calendar/due-date.ts'
import { useNames, useNow } from './app-context.tsx'

const A_MINUTE_MS = 60_000

/** The day that it is at the agency, `YYYY-MM-DD`; a new one comes within a minute. */
export const useToday = (): string => dayIn(useNames().timeZone, useNow(A_MINUTE_MS))
