import { readUnsentWork, type UnsentWork } from '../../../sync/status/unsent-work.ts'
import { useDatabase } from '../../app/app-context.tsx'
import { useLocalQuery } from '../../use-local-query.ts'

/** Texts that the server rejected permanently, kept on this computer. Empty until they are read. */
export function useUnsentWork(): UnsentWork[] {
  const database = useDatabase()
  return useLocalQuery(() => readUnsentWork(database), [database]) ?? []
}
