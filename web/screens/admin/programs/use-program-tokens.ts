import { useMemo } from 'react'
import { useSend } from '../../../app/app-context.tsx'
import { createProgramTokens } from '../../../remote/program-tokens.ts'

export function useProgramTokens() {
  const send = useSend()
  return useMemo(() => createProgramTokens(send), [send])
}
