import { Title } from '@mantine/core'
import { useLiveQuery } from 'dexie-react-hooks'
import { useId } from 'react'
import { asDocument } from '../../../domain/document.ts'
import { readUnsentWork, type UnsentWork } from '../../../sync/strays.ts'
import { useDatabase } from '../../app-context.tsx'
import { HELD_BECAUSE, HeldTextActions } from '../article/held-notice.tsx'
import classes from './unsent-work.module.css'

/** Texts that the server refused for good, kept on this computer. Empty until they are read. */
export function useUnsentWork(): UnsentWork[] {
  const database = useDatabase()
  return useLiveQuery(() => readUnsentWork(database), [database]) ?? []
}

/** Of these articles nothing is left but the words here; they have no place in the cards. */
export const isOrphan = ({ reason }: UnsentWork): boolean =>
  reason === 'deleted' || reason === 'revoked'

/** Leads the home while there is any, so that nobody has to look for words that found no place. */
export function UnsentWorkCard({ works }: { works: UnsentWork[] }) {
  const heading = useId()
  if (works.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <Title order={2} id={heading} className={classes.title}>
        Unsent work
      </Title>
      <ul className={classes.list}>
        {works.map((work) => (
          <Work key={work.articleId} work={work} />
        ))}
      </ul>
    </section>
  )
}

function Work({ work }: { work: UnsentWork }) {
  const { articleId, name, reason, words } = work
  const database = useDatabase()
  const read = async () => asDocument((await database.drafts.get(articleId))?.doc ?? {})
  return (
    <li className={classes.item}>
      <span className={classes.name}>{name || 'An article without a name'}</span>
      <span className={classes.facts}>
        {HELD_BECAUSE[reason]} {words.toLocaleString()} {words === 1 ? 'word' : 'words'} kept on
        this computer.
      </span>
      <span className={classes.actions}>
        <HeldTextActions articleId={articleId} name={name} held={work} read={read} />
      </span>
    </li>
  )
}
