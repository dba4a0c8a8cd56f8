import { memo } from 'react'
import { useDates } from '../../app/use-dates.ts'

/** Long date; the full time on hover (Q31). `at` is ISO time. */
export const LongDate = memo(function LongDate({ at }: { at: string }) {
  const dates = useDates()
  return (
    <time dateTime={at} title={dates.inFull(at)}>
      {dates.date(at)}
    </time>
  )
})

export const LastModified = ({ at }: { at: string }) => (
  <span>
    Last modified <LongDate at={at} />
  </span>
)
