import { minimumVerdict } from '../../../../domain/minimum.ts'
import { figure, wordsOf } from '../../../ui/words/figure.ts'
import { minimumText } from '../../../ui/words/minimum-text.ts'
import { type Signal, useSignal } from '../scorecard/signal.ts'
import classes from './foot-count.module.css'

type FootCountProps = { words: Signal<number>; minimum: number }

/** The words of the text, while another panel is in the place of the scorecard. */
export function FootCount({ words, minimum }: FootCountProps) {
  const count = useSignal(words)
  return (
    <span className={classes.count} data-warns={minimumVerdict(count, minimum) === 'warning'}>
      {minimum === 0 ? wordsOf(count) : `${figure(count)} ${minimumText(minimum)}`}
    </span>
  )
}
