import { memo } from 'react'

/** Long date in the browser's language and zone; the full time on hover (Q31). `at` is ISO time. */
export const LongDate = memo(function LongDate({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time
      dateTime={at}
      title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}
    >
      {date.toLocaleDateString(undefined, { dateStyle: 'long' })}
    </time>
  )
})

export const LastModified = ({ at }: { at: string }) => (
  <span>
    Last modified <LongDate at={at} />
  </span>
)
