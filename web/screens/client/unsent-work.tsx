import { Title } from '@mantine/core'
import { useEffect, useId } from 'react'
import { asDocument } from '../../../domain/text/document.ts'
import { isGone } from '../../../sync/push/received.ts'
import type { UnsentWork } from '../../../sync/status/unsent-work.ts'
import { readDraft } from '../../../sync/store/draft-rows.ts'
import { useSync } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { TextButton } from '../../ui/buttons/text-button.tsx'
import { wordsOf } from '../../ui/words/figure.ts'
import { BlockedTextActions } from '../../unsent/blocked-text-actions.tsx'
import { BLOCKED_BECAUSE } from '../../unsent/refused-because.ts'
import classes from './unsent-work.module.css'

/** Leads the home while there is any. */
export function UnsentWorkCard({ works }: { works: UnsentWork[] }) {
  const heading = useId()
  useRefusals(works)
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <Title order={2} id={heading} className={classes.title}>
        {works.every(({ sentAt }) => sentAt !== null)
          ? 'Work that couldn’t be saved to its article'
          : 'Unsent work'}
      </Title>
      <ul className={classes.list}>
        {works.map((work) => (
          <Work key={work.articleId} work={work} />
        ))}
      </ul>
    </section>
  )
}

/** What the agency does not take either is said here; an article's own page speaks for itself. */
function useRefusals(works: UnsentWork[]): void {
  const sync = useSync()
  const ids = works.map(({ articleId }) => articleId).join(' ')
  useEffect(
    () =>
      sync.onRefusal(({ articleId, message }) => {
        if (ids.split(' ').includes(articleId)) notices.error('Article Error', message)
      }),
    [sync, ids],
  )
}

function Work({ work }: { work: UnsentWork }) {
  const { articleId, name, reason, words } = work
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
        <BlockedTextActions articleId={articleId} name={name} blocked={work} read={read} />
        {work.sentAt !== null && isGone(work) && (
          <TextButton onClick={() => void sync.clearSent(articleId)}>
            Remove from this list
          </TextButton>
        )}
      </span>
    </li>
  )
}
