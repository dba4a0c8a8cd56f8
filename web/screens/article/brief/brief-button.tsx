import { BookOpen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isAdmin } from '../../../../domain/access/permissions.ts'
import { readArticlePlan } from '../../../../sync/status/article-plan.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { leftNote } from '../../../../sync/store/typed-notes.ts'
import { useDatabase, useSignedIn } from '../../../app/app-context.tsx'
import { useLocalQuery } from '../../../use-local-query.ts'
import { FootButton, FootPlace } from '../layout/foot-button.tsx'
import type { PanelState } from '../panel/use-panel.ts'

type BriefButtonProps = PanelState & { view: Pick<ArticleView, 'id' | 'wasPlanned'> }

/** There for admins, and for writers where there is a brief or a date. A brief that was being written opens its panel. */
export function BriefButton({ view, panel, setPanel }: BriefButtonProps) {
  const database = useDatabase()
  const { user } = useSignedIn()
  const known = useLocalQuery(() => readArticlePlan(database, view.id), [database, view.id])
  const isWriter = !isAdmin(user)
  const [wasLeft] = useState(() => !isWriter && leftNote(database, view.id, 'brief') !== null)
  useEffect(() => {
    if (wasLeft) setPanel('brief')
  }, [wasLeft, setPanel])
  if (!known) return (view.wasPlanned || !isWriter) && <FootPlace name="Brief" />
  const { isPlanned, hasChanged } = known
  const isOpen = panel === 'brief'
  if (isWriter && !isPlanned && !isOpen) return null
  return (
    <FootButton
      name="Brief"
      news={hasChanged ? ', changed since you last read it' : null}
      icon={BookOpen}
      isOpen={isOpen}
      onClick={() => setPanel(isOpen ? null : 'brief')}
    />
  )
}
