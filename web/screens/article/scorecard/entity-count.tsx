import { Heading } from 'lucide-react'
import type { KeywordCount } from '../../../../domain/keywords/keyword-places.ts'
import { figure } from '../../../ui/words/figure.ts'
import classes from './entity-count.module.css'
import type { Step } from './entity-marks.ts'
import { LINES_MAX } from './scorecard-store.ts'
import { type Signal, useSignal } from './signal.ts'

export function LinesLimit({ total }: { total: Signal<number> }) {
  const count = useSignal(total)
  if (count <= LINES_MAX) return null
  return (
    <p className={classes.limit}>Marks the part you see. This text has {figure(count)} places.</p>
  )
}

/** In one block, so many places are worth a word. No verdict: that is the writer's. */
const MANY_IN_BLOCK = 5

type CountedNameProps = { keyword: string; count: KeywordCount; step: Step | null }

/** For the eyes: screen readers have `countWords` in the name of the row. */
export function CountedName({ keyword, count, step }: CountedNameProps) {
  const { places, inHeadings, mostInBlock } = count
  return (
    <>
      <span className={classes.counted} dir="auto">
        {keyword}
        {mostInBlock >= MANY_IN_BLOCK && <span className={classes.often}>{often(count)}</span>}
      </span>
      <span className={classes.count}>
        {inHeadings > 0 && <Heading size={13} strokeWidth={1.7} aria-hidden />}
        <span className={classes.places}>
          {/* A text that was changed since has other places. */}
          {step?.of === places ? `${step.at + 1} of ${step.of}` : figure(places)}
        </span>
      </span>
    </>
  )
}

const often = ({ places, mostInBlock }: KeywordCount): string =>
  places === mostInBlock
    ? `${figure(places)} times, all in one paragraph`
    : `${figure(places)} times, ${figure(mostInBlock)} of them in one paragraph`

/** For screen readers. */
export function countWords(count: KeywordCount): string {
  const { places, inHeadings, mostInBlock } = count
  const headings = inHeadings === 1 ? ', one in a heading' : `, ${figure(inHeadings)} in headings`
  return [
    places === 1 ? '1 place' : `${figure(places)} places`,
    places === 1 && inHeadings === 1 ? ', in a heading' : inHeadings > 0 ? headings : '',
    mostInBlock >= MANY_IN_BLOCK ? `, ${figure(mostInBlock)} of them in one paragraph` : '',
  ].join('')
}
