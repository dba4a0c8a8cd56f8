import { useMemo } from 'react'
import { useSend } from '../../../app/app-context.tsx'
import { createProgress, type ProgressCalls } from '../../../remote/progress.ts'

/** The calls about the progress of articles, as the signed-in admin. */
export function useProgress(): ProgressCalls {
  const send = useSend()
  return useMemo(() => createProgress(send), [send])
}
