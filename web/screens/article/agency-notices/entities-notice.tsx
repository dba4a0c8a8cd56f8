import { CloseButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Tags, X } from 'lucide-react'
import { Fragment, useEffect, useMemo } from 'react'
import {
  createKeywordMatcher,
  documentTree,
  textBlocks,
} from '../../../../domain/keywords/keyword-use.ts'
import { asDocument } from '../../../../domain/text/document.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDatabase } from '../../../app/app-context.tsx'
import { Banner } from '../../../ui/page/banner.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { shownDocument } from '../editor/shown-document.ts'
import type { ScorecardStore } from '../scorecard/scorecard-store.ts'
import classes from './agency-notices.module.css'
import {
  type ChangedEntities,
  changedEntities,
  changeWords,
  listedNames,
  seenEntities,
} from './changed-entities.ts'

type EntitiesNoticeProps = { view: ArticleView; editor: Editor; store: ScorecardStore }

/** Stays until the writer closes it: only then the new entities are the known ones. */
export function EntitiesNotice({ view, editor, store }: EntitiesNoticeProps) {
  const { changed, close } = useChangedEntities(view)
  useEffect(() => {
    store.added.set(new Set(changed?.added))
    return () => store.added.set(NONE)
  }, [store, changed])
  const used = useMemo(
    () => new Set(changed ? usedOf(changed.removed, editor) : []),
    [changed, editor],
  )
  if (!changed) return null
  return (
    <Banner
      kind="info"
      icon={Tags}
      actions={
        <CloseButton
          size={26}
          className={classes.close}
          aria-label="Close the notice of changed entities"
          icon={<X size={16} strokeWidth={1.6} />}
          onClick={close}
        />
      }
    >
      <strong>The agency changed the entities since you last wrote:</strong>{' '}
      {changeWords(changed, used.size)}
      {changed.added.length + changed.removed.length > 0 && (
        <p className={classes.more}>
          <Names before="Added: " names={changed.added} used={NONE} />{' '}
          <Names before="Removed: " names={changed.removed} used={used} />
        </p>
      )}
    </Banner>
  )
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Compares with the entities that this computer noted last. The first opening of an article notes them, and so does
 * closing the notice.
 */
function useChangedEntities({ id, keywordList }: Pick<ArticleView, 'id' | 'keywordList'>) {
  const database = useDatabase()
  const known = useLocalQuery(
    async () => (await database.seenEntities.get(id)) ?? null,
    [database, id],
  )
  const present = useMemo(() => seenEntities(keywordList), [keywordList])
  const note = () => database.seenEntities.put({ articleId: id, entities: present }).catch(() => {})
  const isNew = known === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first opening notes what is there
  useEffect(() => {
    if (isNew) void note()
  }, [isNew])
  const changed = useMemo(
    () => (known ? changedEntities(known.entities, present) : null),
    [known, present],
  )
  return { changed, close: () => void note() }
}

/** Those of the keywords that the text uses. */
function usedOf(keywords: readonly string[], editor: Editor): string[] {
  if (keywords.length === 0) return []
  const matcher = createKeywordMatcher(keywords)
  const document = asDocument(shownDocument(editor.state.doc))
  const found = new Set<number>()
  for (const block of textBlocks(documentTree, document)) {
    for (const index of matcher.find(documentTree.blockText(block))) found.add(index)
  }
  return keywords.filter((_, index) => found.has(index))
}

type NamesProps = { before: string; names: ChangedEntities['added']; used: ReadonlySet<string> }

/** 'Removed: kelvin, and lamp post, which is in your text.' */
function Names({ before, names, used }: NamesProps) {
  const listed = listedNames(names)
  if (names.length === 0) return null
  return (
    <>
      {before}
      {listed.names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && (at === names.length - 1 && used.has(name) ? ', and ' : ', ')}
          <b>{name}</b>
          {used.has(name) && ', which is in your text'}
        </Fragment>
      ))}
      {listed.more > 0 && `, and ${listed.more} more`}.
    </>
  )
}
