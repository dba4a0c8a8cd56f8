import { TriangleAlert } from 'lucide-react'
import type { HeldReason } from '../../../sync/database.ts'
import type { HeldText } from '../../../sync/strays.ts'
import type { ArticleView } from '../../../sync/views.ts'
import { Banner } from '../../ui/banner.tsx'
import { figure } from '../../ui/figure.ts'
import { HeldTextActions, type ReadText } from '../../unsent/held-text-actions.tsx'
import { HELD_BECAUSE } from '../../unsent/refused-because.ts'
import classes from './banners.module.css'
import { NotSaved } from './banners.tsx'

type HeldNoticeProps = { view: ArticleView; held: HeldText; read: ReadText }

/** The save-failed banner of text that the server refused for good (the sync core's `held`): where it is and what can be done. */
export function HeldNotice({ view: { id, name }, held, read }: HeldNoticeProps) {
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      <NotSaved />
      <p className={classes.more}>
        {HELD_BECAUSE[held.reason]} Your {wordsKept(held.words)} kept on this computer.
        {WHAT_NEXT[held.reason]}
      </p>
      <p className={classes.more}>
        <HeldTextActions articleId={id} name={name} held={held} read={read} />
      </p>
    </Banner>
  )
}

const WHAT_NEXT: Partial<Record<HeldReason, string>> = {
  completed: ' They will be sent when the article is opened again.',
  'too-large': ' It is sent when it is shorter.',
}

const wordsKept = (words: number): string =>
  `${figure(words)} ${words === 1 ? 'word is' : 'words are'}`
