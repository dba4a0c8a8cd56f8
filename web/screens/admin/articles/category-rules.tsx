import {
  CATEGORY_RULES,
  type CategoryRule,
  type DecidingRule,
} from '../../../../domain/category-rule.ts'
import classes from './category-rules.module.css'

/** The five rules in their order (spec section 9). */
const RULES: Record<CategoryRule, string> = {
  copies: 'A keyword that is in the list 2 or more times is Need to Use, 4 or more times Must Use.',
  'source-e':
    'Source E: a score of 4 or more is Must Use, 2 or 3 is Need to Use, anything else is Use When You Can.',
  'source-i':
    'Source I: a score of 80 or more is Must Use, 50 to 79 is Need to Use, anything else is Use When You Can.',
  otherwise: 'Everything that has no category by now is Use When You Can.',
  'other-copy': 'All copies of a keyword take the highest category found among them.',
}

export function CategoryRules({ id }: { id: string }) {
  return (
    <div id={id} className={classes.rules}>
      <ol>
        {CATEGORY_RULES.map((rule) => (
          <li key={rule}>{RULES[rule]}</li>
        ))}
      </ol>
      <p>Rest the pointer on a category in the table to see the rule that gave it.</p>
    </div>
  )
}

/** The rule that gave a row its category, with the numbers of the row. */
export function ruleText(decided: DecidingRule | null): string {
  if (decided === null) return 'None of the rules gives this category.'
  return `Rule ${CATEGORY_RULES.indexOf(decided.rule) + 1}: ${reason(decided)}.`
}

function reason({ rule, copies, by }: DecidingRule): string {
  if (rule === 'copies') return `the keyword is in the list ${copies} times`
  if (rule === 'otherwise') return 'no other rule gives it a category'
  const origin = `source ${by.source} with ${scoreText(by.score)}`
  return rule === 'other-copy' ? `another copy has ${origin}` : origin
}

function scoreText(score: number | string): string {
  const shown = String(score).trim()
  return shown === '' ? 'no score' : `score ${shown}`
}
