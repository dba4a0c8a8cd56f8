import { TriangleAlert } from 'lucide-react'
import type { BlockedReason } from '../../../../sync/protocol/push-result.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { BlockedText } from '../../../../sync/status/blocked-drafts.ts'
import { Banner } from '../../../ui/page/banner.tsx'
import { wordsOf } from '../../../ui/words/figure.ts'
import { BlockedTextActions, type ReadText } from '../../../unsent/blocked-text-actions.tsx'
import { BLOCKED_BECAUSE } from '../../../unsent/refused-because.ts'
import classes from './banners.module.css'
import { NotSaved } from './not-saved.tsx'

type BlockedNoticeProps = { view: ArticleView; blocked: BlockedText; read: ReadText }

/**
 * The save-failed banner of text that the server refused permanently (the sync core's `blocked`): where it is and what can
 * be done.
 */
export function BlockedNotice({ view: { id, name }, blocked, read }: BlockedNoticeProps) {
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <NotSaved />
      <p className={classes.more}>
        {BLOCKED_BECAUSE[blocked.reason]} {yourVersion(blocked)}
      </p>
      <p className={classes.more}>
        <BlockedTextActions articleId={id} name={name} blocked={blocked} read={read} />
      </p>
    </Banner>
  )
}

const WHAT_NEXT: Partial<Record<BlockedReason, string>> = {
  completed: ' and will be sent if it is reopened',
  'too-large': ' and will be sent once it is shorter',
}

const yourVersion = ({ words, reason }: BlockedText): string =>
  `Your version (${wordsOf(words)}) is saved on this computer${WHAT_NEXT[reason] ?? ''}.`
