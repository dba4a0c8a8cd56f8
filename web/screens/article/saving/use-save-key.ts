import type { OpenText } from '../../../../sync/editing/editor-session.ts'
import { useNames, useSync } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { useShortcut } from '../../../keys.ts'

const WAIT_MS = 5_000

/** Mod+S writes and sends what was typed, and says where it is; where a banner says that already, nothing more. */
export function useSaveKey(articleId: string, text: OpenText): void {
  const sync = useSync()
  const { agencyName } = useNames()

  async function save() {
    await text.flush()
    await sync.drain(WAIT_MS)
    const view = await sync.view(articleId)
    if (!view || view.warning || view.blocked) return
    if (view.saveLine === 'saved') notices.success('Saved', `${agencyName} has your text.`, SAVING)
    else notices.success('Saved on this computer', 'It is still being sent.', SAVING)
  }

  useShortcut('Mod+S', () => void notices.attempt('Article Error', save))
}

/** One snackbar for every outcome. */
const SAVING = { subject: 'save' }
