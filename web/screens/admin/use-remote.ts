import { useMemo } from 'react'
import type { Send } from '../../../sync/ports.ts'
import { useSend } from '../../app/app-context.tsx'
import { createArticles } from '../../remote/articles.ts'
import { createClients } from '../../remote/clients.ts'
import { createPeopleLists } from '../../remote/people-list.ts'
import { createProgramTokens } from '../../remote/program-tokens.ts'
import { createProgress } from '../../remote/progress.ts'
import { createUndeliveredTexts } from '../../remote/undelivered-texts.ts'
import { createUsers } from '../../remote/users.ts'

/** The calls of the agency, as the signed-in admin. */

function useCalls<Calls>(create: (send: Send) => Calls): Calls {
  const send = useSend()
  return useMemo(() => create(send), [create, send])
}

export const useUsers = () => useCalls(createUsers)
export const usePeopleLists = () => useCalls(createPeopleLists)
export const useClients = () => useCalls(createClients)
export const useArticles = () => useCalls(createArticles)
export const useProgress = () => useCalls(createProgress)
export const useProgramTokens = () => useCalls(createProgramTokens)
export const useUndeliveredTexts = () => useCalls(createUndeliveredTexts)
