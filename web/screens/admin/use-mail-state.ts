import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MailState } from '../../../domain/wire/mails.ts'
import { useSend } from '../../app/app-context.tsx'
import { createMails } from '../../remote/mails.ts'

/** Whether mails leave; undefined until that is known. The page does without it. */
export function useMailState(): MailState | undefined {
  const send = useSend()
  const mails = useMemo(() => createMails(send), [send])
  const queryFn = () => mails.state().catch(() => null)
  return useQuery({ queryKey: ['mail-state'], queryFn }).data ?? undefined
}
