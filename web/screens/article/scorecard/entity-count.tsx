import { Heading } from 'lucide-react'
import type { KeywordCount } from '../../../../domain/keyword-places.ts'
import { figure } from '../../../ui/figure.ts'
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

type CountedNameProps = {
  keyword: string
  count: Signal<KeywordCount | null>
  step: Step | null
}

/** In one block, so many places are worth a word. No verdict: that is the writer's. */
const MANY_IN_BLOCK = 5

export function CountedName({ keyword, count, step }: CountedNameProps) {
  const known = useSignal(count)
  // It may have come into use since the last count.
  if (!known || known.places === 0)
    return (
      <span dir="auto">
        {keyword}
        <span className="visually-hidden"> (used)</span>
      </span>
    )
  const { places, inHeadings, mostInBlock } = known
  return (
    <>
      <span className={classes.counted} dir="auto">
        {keyword}
        <span className="visually-hidden"> (used), {countWords(known)}</span>
        {mostInBlock >= MANY_IN_BLOCK && (
          <span className={classes.often} aria-hidden>
            {often(known)}
          </span>
        )}
      </span>
      <span className={classes.count} aria-hidden>
        {inHeadings > 0 && <Heading size={13} strokeWidth={1.7} />}
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
