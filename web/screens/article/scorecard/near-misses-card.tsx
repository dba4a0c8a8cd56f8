import { UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { CornerDownLeft } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { excerpt } from '../../../../domain/excerpt.ts'
import { type NearMiss, nearMisses } from '../../../../domain/near-misses.ts'
import { insertAtCursor, replaceWords } from './entity-edits.ts'
import { scrollTo } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import { type Mark, startMarking, textBlocksOf } from './near-marks.ts'
import classes from './near-misses-card.module.css'
import { nearReason } from './near-reasons.ts'
import { useSignal } from './signal.ts'

export type NearMissesCardProps = {
  editor: Editor
  places: EntityPlaces
  keyword: string
  /** The entity was put into the text; by `insert`, the text has the focus. Null where the card only explains. */
  onUsed: ((by: 'words' | 'insert') => void) | null
}

const SHOWN_MAX = 5

/** What is nearly an entity that the text does not use, and what can be done about it. */
export function NearMissesCard({ editor, places, keyword, onUsed }: NearMissesCardProps) {
  const card = useRef<HTMLElement>(null)
  const doc = useSignal(places.document) ?? editor.state.doc
  const blocks = useMemo(() => textBlocksOf(doc), [doc])
  const near = useMemo(
    () =>
      nearMisses(
        blocks.map(({ text }) => text),
        keyword,
      ),
    [blocks, keyword],
  )
  const [current, setCurrent] = useState<number | null>(null)
  const mayEdit = onUsed !== null && editor.isEditable
  const marking = useRef<((mark: Mark | null) => void) | null>(null)

  useEffect(() => {
    const { mark, stop } = startMarking(editor)
    marking.current = mark
    return stop
  }, [editor])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other misses are at other places
  useEffect(() => {
    setCurrent(null)
    marking.current?.(null)
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [near])

  const rangesOf = ({ ranges }: NearMiss) =>
    ranges.map(({ block, from, to }) => {
      const start = blocks[block]?.start ?? 0
      return { from: start + from, to: start + to }
    })

  function show(index: number, miss: NearMiss) {
    const ranges = rangesOf(miss)
    setCurrent(index)
    marking.current?.({ doc, ranges })
    if (ranges[0] && editor.state.doc === doc) scrollTo(editor, ranges[0].from)
  }

  function use(miss: NearMiss) {
    const [range] = rangesOf(miss)
    if (!range || miss.replacement === null || editor.state.doc !== doc) return
    replaceWords(editor, range, miss.replacement)
    onUsed?.('words')
  }

  return (
    <section className={classes.card} ref={card} aria-label={`Near misses of ${keyword}`}>
      <p className={classes.head}>
        <b>Not in the text yet.</b> {headWords(near.length)}
      </p>
      {near.length > 0 && (
        <ol className={classes.list}>
          {near.slice(0, SHOWN_MAX).map((miss, index) => (
            <li key={placeOf(miss)} className={classes.entry} data-current={index === current}>
              <Sentence miss={miss} texts={blocks} />
              <p className={classes.reason}>{nearReason(miss)}</p>
              {onUsed && (
                <p className={classes.actions}>
                  <Action onClick={() => show(index, miss)}>Show</Action>
                  {mayEdit && miss.replacement !== null && (
                    <Action onClick={() => use(miss)}>Use the exact words</Action>
                  )}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      <div className={classes.foot}>
        {mayEdit && (
          <UnstyledButton
            className={classes.insert}
            onClick={() => {
              insertAtCursor(editor, keyword)
              onUsed?.('insert')
            }}
          >
            <CornerDownLeft size={15} strokeWidth={1.7} aria-hidden /> Insert at the cursor
          </UnstyledButton>
        )}
        <p>
          An entity counts when its words stand together, in this order, in one paragraph. Capitals
          don’t matter.
        </p>
      </div>
    </section>
  )
}

function headWords(count: number): string {
  if (count === 0) return 'Nothing close to it either.'
  if (count > SHOWN_MAX) return `The first ${SHOWN_MAX} of ${count} near misses:`
  return count === 1 ? '1 near miss:' : `${count} near misses:`
}

const placeOf = ({ ranges }: NearMiss): string =>
  ranges.map(({ block, from }) => `${block}.${from}`).join()

type SentenceProps = { miss: NearMiss; texts: readonly { text: string }[] }

/** With the words of both paragraphs where they are split over two. */
function Sentence({ miss, texts }: SentenceProps) {
  return (
    <p className={classes.sentence} dir="auto">
      {miss.ranges.map((range) => {
        const { before, words, after } = excerpt(texts[range.block]?.text ?? '', range)
        return (
          <span key={range.block}>
            {before}
            <b>{words}</b>
            {after}{' '}
          </span>
        )
      })}
    </p>
  )
}

const Action = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <UnstyledButton className={classes.action} onClick={onClick}>
    {children}
  </UnstyledButton>
)
