import type { SyncSummary } from '../../sync/status/sync-summary.ts'
import { useApp, useReload } from '../app/app-context.tsx'
import { TextButton } from '../ui/buttons/text-button.tsx'

type Needs = Pick<SyncSummary, 'signInNeeded' | 'updateNeeded'>

export const needsRemedy = ({ signInNeeded, updateNeeded }: Needs): boolean =>
  signInNeeded || updateNeeded

/** What only the user can do before anything is sent again; nothing when there is no such thing. */
export function Remedy({ summary }: { summary: Needs }) {
  const { signOut } = useApp()
  const reload = useReload()
  if (summary.signInNeeded) {
    return <TextButton onClick={() => void signOut.signInAgain()}>Log in</TextButton>
  }
  return summary.updateNeeded && <TextButton onClick={reload}>Reload</TextButton>
}
