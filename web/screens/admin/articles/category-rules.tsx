import {
  CATEGORY_RULES,
  type CategoryRule,
  type DecidingRule,
} from '../../../../domain/keywords/category-rule.ts'
import classes from './category-rules.module.css'

/** The five rules in their order (spec section 9). */
const RULES: Record<CategoryRule, string> = {
  copies: 'Listed 2 or 3 times: Need to Use. Listed 4 or more times: Must Use.',
  'source-e':
    'Source E: a score of 4 or more is Must Use, 2 or 3 is Need to Use, anything else is Use When You Can.',
  'source-i':
    'Source I: a score of 80 or more is Must Use, 50 to 79 is Need to Use, anything else is Use When You Can.',
  otherwise: 'Anything still without a category: Use When You Can.',
  'other-copy': 'Duplicates all take the highest category any of them has.',
}

export function CategoryRules({ id }: { id: string }) {
  return (
    <div id={id} className={classes.rules}>
      <ol>
        {CATEGORY_RULES.map((rule) => (
          <li key={rule}>{RULES[rule]}</li>
        ))}
      </ol>
      <p>Hover over a category to see which rule set it.</p>
    </div>
  )
}

/** The rule that gave a row its category, with the numbers of the row. */
export function ruleText(decided: DecidingRule | null): string {
  if (decided === null) return 'No rule assigns this category.'
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
