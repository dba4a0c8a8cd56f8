import { useMemo } from 'react'
import { createDates, type Dates, englishLocale } from '../../domain/calendar/dates.ts'
import { useApp } from './app-context.tsx'

/** Dates and times as this browser's user reads them; in the time zone of the device, unless another one is given. */
export function useDates(timeZone?: string): Dates {
  const { languages } = useApp()
  return useMemo(() => createDates(englishLocale(languages), timeZone), [languages, timeZone])
}
