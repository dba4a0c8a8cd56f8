import { Switch, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Check } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, memo, useEffect, useId, useRef } from 'react'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { figure } from '../../../ui/figure.ts'
import { Gauge } from '../../../ui/gauge.tsx'
import classes from './scorecard.module.css'
import type { EntityGroup, ScorecardStore } from './scorecard-store.ts'
import { type Signal, useSignal } from './signal.ts'

type ScorecardProps = {
  store: ScorecardStore
  wordMinimum: number
  completed: boolean
  marking: EntityMarking
}

/** What pointing at a used entity does in the text. */
export type EntityMarking = {
  /** Marks every occurrence; null takes the marks away. */
  mark: (keyword: string | null) => void
  scrollTo: (keyword: string) => void
}

/** Local storage: the choice belongs to the browser, not to the article (Q36). */
const HIDE_USED_KEY = 'hide-used-entities'

/** The page around it is drawn at every save, this only when something of it changed. */
export const Scorecard = memo(function Scorecard(props: ScorecardProps) {
  const { store, wordMinimum, completed, marking } = props
  const [hideUsed, setHideUsed] = useLocalStorage({
    key: HIDE_USED_KEY,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return (
    <aside className={classes.scorecard} aria-label="Scorecard">
      <WordGauge words={store.words} minimum={wordMinimum} completed={completed} />
      <Switch
        className={classes.hide}
        classNames={{ body: classes.hideBody, label: classes.hideLabel, track: classes.hideTrack }}
        label="Hide used entities"
        labelPosition="left"
        checked={hideUsed}
        onChange={(event) => setHideUsed(event.currentTarget.checked)}
      />
      {store.groups.length === 0 ? (
        <p className={classes.none}>No entities have been added to this article.</p>
      ) : (
        <Entities {...{ store, hideUsed, marking }} />
      )}
    </aside>
  )
})

type WordGaugeProps = { words: Signal<number>; minimum: number; completed: boolean }

function WordGauge({ words, minimum, completed }: WordGaugeProps) {
  const count = useSignal(words)
  const tone = minimumVerdict(count, minimum) === 'warning' ? 'warn' : 'full'
  return (
    <div className={classes.gauge}>
      <Gauge k={moonPhase(count, minimum)} tone={tone} checked={completed} />
      <div>
        <p className={classes.count} data-tone={tone}>
          <span className={classes.figure} data-testid="word-count">
            {figure(count)}
          </span>{' '}
          {count === 1 ? 'word' : 'words'}
        </p>
        <p className={classes.minimum}>{standing(count, minimum)}</p>
      </div>
    </div>
  )
}

export const minimumText = (minimum: number): string =>
  minimum === 0 ? 'no minimum' : `of at least ${figure(minimum)}`

/** Below the count of words. Where the two numbers are the same, only this says that it still warns (Q35). */
export const standing = (words: number, minimum: number): string =>
  minimum > 0 && words === minimum ? 'at the minimum: one more word' : minimumText(minimum)

type EntitiesProps = { store: ScorecardStore; hideUsed: boolean; marking: EntityMarking }

/** One tab stop for all entities; the arrow keys move between the used ones. */
function Entities({ store, hideUsed, marking }: EntitiesProps) {
  const scroller = useRef<HTMLElement>(null)
  const buttonless = useSignal(store.tabStop) === null || hideUsed

  function handleKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const buttons = [...(scroller.current?.querySelectorAll('button') ?? [])]
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <section
      ref={scroller}
      className={classes.entities}
      aria-label="Entities"
      // A scroller without a button in it is reached by keyboard itself.
      tabIndex={buttonless ? 0 : undefined}
      onKeyDown={handleKeyDown}
    >
      {store.groups.map((group) => (
        <Group key={group.category} {...{ store, group, hideUsed, marking }} />
      ))}
    </section>
  )
}

type GroupProps = EntitiesProps & { group: EntityGroup }

function Group({ store, group, hideUsed, marking }: GroupProps) {
  const heading = useId()
  const used = useSignal(group.used)
  return (
    <>
      <h2 id={heading} className={classes.groupHead}>
        {group.category}{' '}
        <span className={classes.tally}>
          <span className="visually-hidden">used </span>
          {used}
          <i>/</i>
          {group.keywords.length}
        </span>
      </h2>
      <ul className={classes.list} aria-labelledby={heading}>
        {group.keywords.map((keyword) => (
          <Entity key={keyword} {...{ store, keyword, hideUsed, marking }} />
        ))}
      </ul>
    </>
  )
}

type EntityProps = EntitiesProps & { keyword: string }

function Entity({ store, keyword, hideUsed, marking }: EntityProps) {
  const used = useSignal(store.isUsed(keyword))
  if (used && hideUsed) return null
  return (
    <li>
      {used ? (
        <UsedEntity {...{ store, keyword, marking }} />
      ) : (
        <div className={classes.entity}>
          <span className={classes.ring} />
          <EntityName keyword={keyword} state="not used" />
        </div>
      )}
    </li>
  )
}

function UsedEntity({ store, keyword, marking }: Omit<EntityProps, 'hideUsed'>) {
  const tabStop = useSignal(store.tabStop) === keyword
  const isMarking = useRef(false)
  function mark(isPointedAt: boolean) {
    isMarking.current = isPointedAt
    marking.mark(isPointedAt ? keyword : null)
  }
  const unmark = () => mark(false)
  // Where the entity is not used any more the button goes, and nothing was left or blurred.
  useEffect(
    () => () => {
      if (isMarking.current) marking.mark(null)
    },
    [marking],
  )

  function handleFocus(event: FocusEvent) {
    store.tabStop.set(keyword)
    if (event.target.matches(':focus-visible')) mark(true)
  }

  return (
    <UnstyledButton
      className={classes.entity}
      data-used
      tabIndex={tabStop ? 0 : -1}
      onPointerEnter={() => mark(true)}
      onPointerLeave={unmark}
      onFocus={handleFocus}
      onBlur={unmark}
      onClick={() => marking.scrollTo(keyword)}
    >
      <span className={classes.ring}>
        <Check size={9} strokeWidth={3.5} aria-hidden />
      </span>
      <EntityName keyword={keyword} state="used" />
    </UnstyledButton>
  )
}

const EntityName = ({ keyword, state }: { keyword: string; state: string }) => (
  <span dir="auto">
    {keyword}
    <span className="visually-hidden"> ({state})</span>
  </span>
)
