import { Title } from '@mantine/core'
import { Moon } from '../../../ui/moon/moon.tsx'
import classes from './article-steps.module.css'

type Step = { what: string; note?: string }

/** From the agency's desk to the client's (spec section 2, Q71). */
const STEPS: Step[] = [
  { what: 'Create the article' },
  { what: 'Assign the client' },
  { what: 'Upload entities', note: 'A new upload always overrides old entities.' },
  { what: 'Input outline and headings' },
  { what: 'Send to client', note: 'The client marks it ‘Complete’.' },
]

/** How much of the moon is lit when a step is done. */
const LIT = [0.25, 0.45, 0.62, 0.82, 1]

export function ArticleSteps() {
  return (
    <section className={classes.steps} aria-labelledby="article-steps">
      <Title order={3} id="article-steps">
        From brief to finished article
      </Title>
      <ol className={classes.list}>
        {STEPS.map(({ what, note }, index) => (
          <li key={what}>
            <Moon size={18} k={LIT[index] ?? 1} tone={LIT[index] === 1 ? 'full' : 'warn'} />
            <div>
              {what}
              {note && <div className={classes.note}>{note}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
