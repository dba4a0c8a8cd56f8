import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isAdmin } from '../../../../domain/access/permissions.ts'
import type { Keyword } from '../../../../domain/wire/articles.ts'
import { useSignedIn } from '../../../app/app-context.tsx'
import { TextButton } from '../../../ui/buttons/text-button.tsx'
import { Tabs } from '../../../ui/lists/tabs.tsx'
import { SidePanel } from '../panel/side-panel.tsx'
import { TextEntities } from '../scorecard/scorecard.tsx'
import { useScorecard } from '../scorecard/use-scorecard.ts'
import { WrittenPanel } from '../written/written-panel.tsx'
import { ArticleLog } from './article-log.tsx'
import tabs from './panel-tabs.module.css'
import type { VersionsPage } from './use-versions.ts'
import { VersionTree } from './version-tree.tsx'
import classes from './versions-panel.module.css'

const TABS = ['Versions', 'Log'] as const

type VersionsPanelProps = { page: VersionsPage; keywordList: readonly Keyword[] }

/** Replaces the scorecard while the user looks for an earlier text, or at what happened to the article. */
export function VersionsPanel({ page, keywordList }: VersionsPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const entities = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useState<(typeof TABS)[number]>('Versions')
  const panelId = useId()
  const { user } = useSignedIn()
  const written = useWritten()
  const { shownText } = page
  const isBrowsing = page.selected === null
  // At first, and when the text that was looked at is put away together with its buttons.
  useEffect(() => {
    if (isBrowsing) panel.current?.querySelector('button')?.focus()
  }, [isBrowsing])

  function handleKeyDown(event: KeyboardEvent) {
    const { key, target } = event
    if (key === 'Escape') page.close()
    const tree = panel.current?.querySelector('[role=tree]')
    const isBeyond = [tree, entities.current].some((part) => part?.contains(target as HTMLElement))
    if (key !== 'ArrowDown' || !tree || isBeyond) return
    event.preventDefault()
    tree.querySelector<HTMLElement>('[role=treeitem]')?.focus()
  }

  if (written.isOpen) {
    return (
      <WrittenPanel
        articleId={page.articleId}
        handIn={null}
        back="Back to the versions"
        onBack={written.close}
      />
    )
  }
  return (
    <SidePanel
      ref={panel}
      title="Versions"
      intro="Choose an earlier version to compare it with the current one."
      onBack={page.close}
      onKeyDown={handleKeyDown}
    >
      <Tabs
        label="Versions and log"
        names={TABS}
        chosen={tab}
        choose={setTab}
        panelId={panelId}
        classes={tabs}
      />
      <div id={panelId} className={classes.panel} role="tabpanel" aria-label={tab}>
        {tab === 'Log' ? (
          <ArticleLog articleId={page.articleId} />
        ) : (
          <>
            <VersionTree page={page} />
            {!isAdmin(user) && (
              <p className={classes.written}>
                <TextButton ref={written.button} onClick={written.open}>
                  How this text was written
                </TextButton>
              </p>
            )}
            <p className={classes.state} role="status">
              {stateOf(page)}
            </p>
            {shownText && keywordList.length > 0 && (
              <div ref={entities} className={classes.entities}>
                <VersionEntities editor={shownText} keywordList={keywordList} />
              </div>
            )}
          </>
        )}
      </div>
    </SidePanel>
  )
}

/** The record of how the text was written, in place of the versions. Its button gets the focus back. */
function useWritten() {
  const [isOpen, setOpen] = useState(false)
  const wasOpen = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen && wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return { isOpen, button, open: () => setOpen(true), close: () => setOpen(false) }
}

type VersionEntitiesProps = { editor: Editor; keywordList: readonly Keyword[] }

/** The entities of the article in the version that is shown. Used ones are never hidden: there is nothing left to do. */
function VersionEntities({ editor, keywordList }: VersionEntitiesProps) {
  const scorecard = useScorecard(editor, keywordList)
  return (
    <>
      <h2 className={classes.entitiesHead}>Entities in this version</h2>
      <TextEntities {...scorecard} readOnly hideUsed={false} />
    </>
  )
}

/** Whether this is all there is. */
function stateOf({ listing, list }: VersionsPage): string {
  if (listing?.kind === 'unreachable') {
    return 'You are offline. These are the versions on this computer.'
  }
  if (listing?.kind === 'refused') return listing.message
  return list === null || listing === null ? 'Loading…' : ''
}
