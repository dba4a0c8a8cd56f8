import { Title } from '@mantine/core'
import { useEffect, useId } from 'react'
import { asDocument } from '../../../domain/text/document.ts'
import { isGone } from '../../../sync/push/received.ts'
import type { BlockedDraft } from '../../../sync/status/blocked-drafts.ts'
import { readDraft } from '../../../sync/store/draft-rows.ts'
import { useSync } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { TextButton } from '../../ui/buttons/text-button.tsx'
import { wordsOf } from '../../ui/words/figure.ts'
import { BlockedTextActions } from '../../unsent/blocked-text-actions.tsx'
import { BLOCKED_BECAUSE } from '../../unsent/refused-because.ts'
import classes from './blocked-drafts.module.css'

/** Leads the home while there is any. */
export function BlockedDraftsCard({ drafts }: { drafts: BlockedDraft[] }) {
  const heading = useId()
  useRefusals(drafts)
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <Title order={2} id={heading} className={classes.title}>
        {drafts.every(({ sentAt }) => sentAt !== null)
          ? 'Work that couldn’t be saved to its article'
          : 'Unsent work'}
      </Title>
      <ul className={classes.list}>
        {drafts.map((draft) => (
          <Draft key={draft.articleId} draft={draft} />
        ))}
      </ul>
    </section>
  )
}

/** What the agency does not take either is said here; an article's own page speaks for itself. */
function useRefusals(drafts: BlockedDraft[]): void {
  const sync = useSync()
  const ids = drafts.map(({ articleId }) => articleId).join(' ')
  useEffect(
    () =>
      sync.onRefusal(({ articleId, message }) => {
        if (ids.split(' ').includes(articleId)) notices.error('Article Error', message)
      }),
    [sync, ids],
  )
}

function Draft({ draft }: { draft: BlockedDraft }) {
  const { articleId, name, reason, words } = draft
  const sync = useSync()
  const { database } = sync
  const read = async () => asDocument((await readDraft(database, articleId))?.doc ?? {})
  return (
    <li className={classes.item}>
      <span className={classes.name} dir="auto">
        {name || 'An article without a name'}
      </span>
      <span className={classes.facts}>
        {BLOCKED_BECAUSE[reason]} {wordsOf(words)} saved on this computer.
      </span>
      <span className={classes.actions}>
        <BlockedTextActions articleId={articleId} name={name} blocked={draft} read={read} />
        {draft.sentAt !== null && isGone(draft) && (
          <TextButton onClick={() => void sync.clearSent(articleId)}>
            Remove from this list
          </TextButton>
        )}
      </span>
    </li>
  )
}
