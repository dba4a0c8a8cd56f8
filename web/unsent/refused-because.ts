import type { BlockedReason } from '../../sync/protocol/push-result.ts'
import type { MemoryRefusal } from '../../sync/store/unsaved.ts'

/** Why the server does not take text that is kept on this computer. */
export const BLOCKED_BECAUSE: Record<BlockedReason, string> = {
  completed: 'This article was marked complete while you were offline.',
  revoked: 'You no longer have access to this article.',
  deleted: 'This article was deleted, or you no longer have access to it.',
  'too-large': 'This text is too large to be sent.',
  rejected: 'The server did not accept this text.',
}

/** The same for text that could not be stored on this device either, while it is being written. */
export const MEMORY_REFUSED: Record<MemoryRefusal['reason'], string> = {
  ...BLOCKED_BECAUSE,
  completed: 'This article was marked complete while you were writing.',
  'sign-in': 'Log in again in another tab to send it.',
  update: 'This page is too old to send it.',
}
