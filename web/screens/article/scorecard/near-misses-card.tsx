import { UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Decoration } from '@tiptap/pm/view'
import { CornerDownLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type NearMiss, nearMisses } from '../../../../domain/keywords/near-misses.ts'
import { excerpt } from '../../../../domain/text/excerpt.ts'
import { addDecorationLayer, type DecorationLayer } from './decoration-layer.ts'
import { insertAtCursor, replaceWords } from './entity-edits.ts'
import { type Occurrence, scrollTo, textBlocksOf } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import classes from './near-misses-card.module.css'
import { nearReason } from './near-reasons.ts'
import { editorTree } from './scorecard-store.ts'

type NearMissesCardProps = {
  editor: Editor
  places: EntityPlaces
  keyword: string
  /** `explain`: the card has no actions. `show`: it scrolls to near misses. `edit`: it also changes the text. */
  mode: 'explain' | 'show' | 'edit'
  /** Whether the text has had a cursor. */
  hadCursor?: () => boolean
  /** The entity was put into the text; by `insert`, the text has the focus. */
  onUsed?: (by: 'words' | 'insert') => void
}

const SHOWN_MAX = 5

/** What is nearly an entity that the text does not use, and what can be done about it. */
export function NearMissesCard(props: NearMissesCardProps) {
  const { editor, places, keyword, mode, onUsed } = props
  const card = useRef<HTMLElement>(null)
  const [found, setFound] = useState(() => findIn(editor.state.doc, keyword))
  const [current, setCurrent] = useState<number | null>(null)
  const mark = useMarking(editor, mode !== 'explain')
  const { doc, blocks, near } = found

  useEffect(() => void card.current?.scrollIntoView({ block: 'nearest' }), [])
  /** Returns false when the text had changed: what is shown is new then. */
  function refresh(): boolean {
    if (editor.state.doc === doc) return true
    setFound(findIn(editor.state.doc, keyword))
    setCurrent(null)
    mark([])
    return false
  }
  const latest = useRef(refresh)
  latest.current = refresh
  // What others write is searched at once, what the user types when the card is used again: no key waits for it.
  useEffect(
    () => places.document.subscribe(() => void (editor.isFocused || latest.current())),
    [places, editor],
  )

  const rangesOf = ({ ranges }: NearMiss) =>
    ranges.map(({ block, from, to }) => {
      const start = blocks[block]?.start ?? 0
      return { from: start + from, to: start + to }
    })

  function show(index: number, miss: NearMiss) {
    const ranges = rangesOf(miss)
    if (!refresh() || !ranges[0]) return
    setCurrent(index)
    mark(ranges)
    scrollTo(editor, ranges[0].from)
  }

  function use(miss: NearMiss) {
    const [range] = rangesOf(miss)
    if (!refresh() || !range || miss.replacement === null) return
    replaceWords(editor, range, miss.replacement)
    onUsed?.('words')
  }

  return (
    <section
      className={classes.card}
      ref={card}
      // In the dialog it has no name: the open card of the scorecard has it.
      aria-label={mode === 'explain' ? undefined : `Near misses of ${keyword}`}
      onFocus={refresh}
      onPointerEnter={refresh}
    >
      <p className={classes.head}>
        <b>Not in the text yet.</b> {headWords(near.length)}
      </p>
      {near.length > 0 && (
        <ol className={classes.list}>
          {near.slice(0, SHOWN_MAX).map((miss, index) => (
            <li key={placeOf(miss)} className={classes.entry} data-current={index === current}>
              <Sentence miss={miss} texts={blocks} />
              <p className={classes.reason}>{nearReason(miss)}</p>
              {mode !== 'explain' && (
                <p className={classes.actions}>
                  <Action onClick={() => show(index, miss)}>Show</Action>
                  {mode === 'edit' && miss.replacement !== null && (
                    <Action onClick={() => use(miss)}>Use the exact words</Action>
                  )}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      <div className={classes.foot}>
        {mode === 'edit' && (
          <UnstyledButton
            className={classes.insert}
            onClick={() => {
              insertAtCursor(editor, keyword, props.hadCursor?.() ?? false)
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

/** The near misses in this state of the text. */
function findIn(doc: Node, keyword: string) {
  const blocks = textBlocksOf(doc).map(({ block, start }) => ({
    text: editorTree.blockText(block),
    start,
  }))
  const texts = blocks.map(({ text }) => text)
  return { doc, blocks, near: nearMisses(texts, keyword) }
}

/** Marks words in the text while the card is open, like the current match of the search. */
function useMarking(editor: Editor, isWanted: boolean): (ranges: readonly Occurrence[]) => void {
  const layer = useRef<DecorationLayer | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const added = addDecorationLayer(editor, 'nearMisses')
    layer.current = added
    return () => {
      layer.current = null
      added.remove()
    }
  }, [editor, isWanted])
  return (ranges) => {
    // Marks that come or go in the middle of a composition would end it.
    if (editor.view.composing) return
    layer.current?.show(
      ranges.map(({ from, to }) => Decoration.inline(from, to, { class: 'found-current' })),
    )
  }
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
