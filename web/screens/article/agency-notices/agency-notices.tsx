import type { Editor } from '@tiptap/core'
import type { HandIn } from '../../../../domain/wire/hand-ins.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import type { ScorecardStore } from '../scorecard/scorecard-store.ts'
import { EntitiesNotice } from './entities-notice.tsx'
import { ReopenedNotice } from './reopened-notice.tsx'

type AgencyNoticesProps = {
  view: ArticleView
  editor: Editor
  store: ScorecardStore
  /** Compares what was handed in with the current text. */
  compareWith: (handIn: HandIn) => void
}

/** What the agency did to the article that its writer should know of. */
export const AgencyNotices = ({ view, editor, store, compareWith }: AgencyNoticesProps) => (
  <>
    <ReopenedNotice view={view} compareWith={compareWith} />
    {!view.completed && <EntitiesNotice {...{ view, editor, store }} />}
  </>
)
