import { type BlockedDraft, readBlockedDrafts } from '../../../sync/status/blocked-drafts.ts'
import { useDatabase } from '../../app/app-context.tsx'
import { useLocalQuery } from '../../use-local-query.ts'

/** Texts that the server rejected permanently, kept on this computer. Empty until they are read. */
export function useBlockedDrafts(): BlockedDraft[] {
  const database = useDatabase()
  return useLocalQuery(() => readBlockedDrafts(database), [database]) ?? []
}
