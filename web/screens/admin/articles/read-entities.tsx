import { KEYWORD_CATEGORIES } from '../../../../domain/keywords/keyword.ts'
import { figure } from '../../../ui/words/figure.ts'
import { encodingText, skippedText, unreadScoresText } from '../csv/csv-messages.ts'
import classes from './article-forms.module.css'
import type { EntitiesImportState } from './entities-import.ts'
import { CategoryDot } from './keyword-table.tsx'

type ReadEntitiesProps = { state: EntitiesImportState; isUnmatched: boolean }

/** What was read of a list, in a line or two: how many entities of which category. */
export function ReadEntities({ state, isUnmatched }: ReadEntitiesProps) {
  const { file, fault, result, decoding } = state
  const isRead = file !== null && fault === null
  const skipped = result && skippedText(result)
  const notes = result
    ? [
        skipped && `${skipped.counts} ${skipped.reasons}`,
        unreadScoresText(result.unreadScores),
        decoding && encodingText(decoding),
      ]
    : []
  return (
    <div role="status">
      {isRead && isUnmatched && (
        <p className={classes.read}>Choose the columns in the Entities tab after creating it.</p>
      )}
      {isRead && result && <Counts keywords={result.keywords} />}
      {isRead &&
        notes.map(
          (note) =>
            note && (
              <p key={note} className={classes.read}>
                {note}
              </p>
            ),
        )}
    </div>
  )
}

function Counts({ keywords }: { keywords: readonly { category: string }[] }) {
  const total = keywords.length
  return (
    <p className={classes.read}>
      {figure(total)} {total === 1 ? 'entity:' : 'entities:'}
      {KEYWORD_CATEGORIES.map((category) => {
        const count = keywords.filter((keyword) => keyword.category === category).length
        return (
          <span key={category} className={classes.category}>
            <CategoryDot category={category} /> {figure(count)} {category}
          </span>
        )
      })}
    </p>
  )
}
