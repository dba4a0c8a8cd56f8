import { memo } from 'react'

/** Long date in the browser's language and zone; the full time on hover (Q31). `at` is ISO time. */
export const LastModified = memo(function LastModified({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <span>
      Last modified{' '}
      <time
        dateTime={at}
        title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}
      >
        {date.toLocaleDateString(undefined, { dateStyle: 'long' })}
      </time>
    </span>
  )
})
