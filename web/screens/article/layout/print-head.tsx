import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { minimumVerdict } from '../../../../domain/minimum.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useDates } from '../../../app/use-dates.ts'
import { wordsOf } from '../../../ui/words/figure.ts'
import { handedInText } from '../../../ui/words/minimum-text.ts'
import type { ScorecardStore } from '../scorecard/scorecard-store.ts'
import { useEditedAt } from '../use-edited-at.ts'

type PrintHeadProps = {
  view: ArticleView
  minimum: number
  editor: Editor
  store: ScorecardStore
}

/** The head of a printed article, in place of everything else on the screen. Rendered only while printing. */
export function PrintHead({ view, minimum, editor, store }: PrintHeadProps) {
  const [facts, setFacts] = useState<string[] | null>(null)
  const readEditedAt = useEditedAt(view.id, editor)
  const dates = useDates()

  useEffect(() => {
    const show = () => {
      const textAt = Math.max(Date.parse(view.updatedAt), readEditedAt())
      const count = store.words.get()
      const isShort = view.completed && minimumVerdict(count, minimum) === 'warning'
      const printed = [
        wordsOf(count),
        ...(isShort ? [handedInText(count, minimum)] : []),
        `Text from ${dates.dateTime(textAt)}`,
      ]
      // The browser prints the page as it is once this listener returns.
      flushSync(() => setFacts(view.client ? [view.client.name, ...printed] : printed))
    }
    const remove = () => setFacts(null)
    window.addEventListener('beforeprint', show)
    window.addEventListener('afterprint', remove)
    return () => {
      window.removeEventListener('beforeprint', show)
      window.removeEventListener('afterprint', remove)
    }
  }, [view, minimum, store, readEditedAt, dates])

  if (facts === null) return null
  return (
    <div className="print-head">
      <h1 className="print-title" dir="auto">
        {view.name}
      </h1>
      <p className="print-facts">{facts.join(' · ')}</p>
    </div>
  )
}
