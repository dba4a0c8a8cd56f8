import { Switch, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Check } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { figure } from '../../../ui/figure.ts'
import { Gauge } from '../../../ui/gauge.tsx'
import type { Step } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import type { EntityTools } from './entity-tools.ts'
import classes from './scorecard.module.css'
import type { EntityGroup, ScorecardStore } from './scorecard-store.ts'
import { type Signal, useSignal } from './signal.ts'
import type { CountedEntities } from './use-scorecard.ts'

type ScorecardProps = {
  store: ScorecardStore
  wordMinimum: number
  completed: boolean
  marking: EntityMarking
  /** Null until the code that counts is loaded. */
  counted: CountedEntities | null
}

/** What pointing at a used entity does in the text. */
export type EntityMarking = {
  /** Marks every occurrence; null takes the marks away. */
  mark: (keyword: string | null) => void
  /** Scrolls to the next place (1) or the one before (-1) of `at`, which counts from 0 and is -1 before the first. */
  step: (keyword: string, at: number, by: 1 | -1) => Step | null
  /** Lines under every used entity; returns the function that ends them. */
  showLines: (places: EntityPlaces, tools: EntityTools) => () => void
}

/** Local storage: the choices belong to the browser, not to the article (Q36). */
const HIDE_USED_KEY = 'hide-used-entities'
const SHOW_LINES_KEY = 'show-entities-in-text'

/** The page around it is drawn at every save, this only when something of it changed. */
export const Scorecard = memo(function Scorecard(props: ScorecardProps) {
  const { store, wordMinimum, completed, marking, counted } = props
  const [hideUsed, setHideUsed] = useChoice(HIDE_USED_KEY)
  const [lines, setLines] = useChoice(SHOW_LINES_KEY)
  useEffect(
    () => (lines && counted ? marking.showLines(counted.places, counted.tools) : undefined),
    [lines, counted, marking],
  )
  return (
    <aside className={classes.scorecard} aria-label="Scorecard">
      <WordGauge words={store.words} minimum={wordMinimum} completed={completed} />
      <Choice label="Hide used entities" checked={hideUsed} onChange={setHideUsed} />
      <Choice label="Show entities in the text" checked={lines} onChange={setLines}>
        {lines && counted && <counted.tools.LinesLimit total={counted.places.total} />}
      </Choice>
      {store.groups.length === 0 ? (
        <p className={classes.none}>No entities have been added to this article.</p>
      ) : (
        <Entities {...{ store, hideUsed, lines, marking, counted }} />
      )}
    </aside>
  )
})

const useChoice = (key: string) =>
  useLocalStorage({ key, defaultValue: false, getInitialValueInEffect: false })

type ChoiceProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  children?: ReactNode
}

function Choice({ label, checked, onChange, children }: ChoiceProps) {
  return (
    <div className={classes.choice}>
      <Switch
        classNames={{
          body: classes.choiceBody,
          label: classes.choiceLabel,
          track: classes.choiceTrack,
        }}
        label={label}
        labelPosition="left"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </div>
  )
}

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

type EntitiesProps = {
  store: ScorecardStore
  hideUsed: boolean
  lines: boolean
  marking: EntityMarking
  counted: CountedEntities | null
}

/** One tab stop for all entities; the arrow keys move between them. */
function Entities(props: EntitiesProps) {
  const { store } = props
  const scroller = useRef<HTMLElement>(null)
  const [said, say] = useState('')
  const buttonless = useSignal(store.tabStop) === null || props.hideUsed

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
      {store.groups.map((group, tier) => (
        <Group key={group.category} {...props} {...{ group, tier, say }} />
      ))}
      <div role="status" className="visually-hidden">
        {said}
      </div>
    </section>
  )
}

type GroupProps = EntitiesProps & {
  group: EntityGroup
  /** 0 for Must Use. */
  tier: number
  /** Announces it politely. */
  say: (words: string) => void
}

function Group({ group, tier, ...props }: GroupProps) {
  const heading = useId()
  const used = useSignal(group.used)
  return (
    <>
      <h2 id={heading} className={classes.groupHead}>
        <span>
          {group.category}
          {props.lines && <span className={classes.legend} data-tier={tier} />}
        </span>{' '}
        <span className={classes.tally}>
          <span className="visually-hidden">used </span>
          {used}
          <i>/</i>
          {group.keywords.length}
        </span>
      </h2>
      <ul className={classes.list} aria-labelledby={heading}>
        {group.keywords.map((keyword) => (
          <Entity key={keyword} {...props} keyword={keyword} />
        ))}
      </ul>
    </>
  )
}

type EntityProps = Omit<GroupProps, 'group' | 'tier'> & { keyword: string }

function Entity({ keyword, hideUsed, ...props }: EntityProps) {
  const used = useSignal(props.store.isUsed(keyword))
  if (used && hideUsed) return null
  return (
    <li>
      {used ? (
        <UsedEntity {...props} keyword={keyword} />
      ) : (
        <div className={classes.entity}>
          <span className={classes.ring} />
          <EntityName keyword={keyword} state="not used" />
        </div>
      )}
    </li>
  )
}

function UsedEntity({ store, keyword, marking, counted, say }: Omit<EntityProps, 'hideUsed'>) {
  const tabStop = useSignal(store.tabStop) === keyword
  const isMarking = useRef(false)
  const [step, setStep] = useState<Step | null>(null)
  function mark(isPointedAt: boolean) {
    isMarking.current = isPointedAt
    marking.mark(isPointedAt ? keyword : null)
  }
  function leave() {
    mark(false)
    setStep(null)
  }
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

  function go(by: 1 | -1) {
    const next = marking.step(keyword, step?.at ?? -1, by)
    setStep(next)
    if (next) say(`${next.at + 1} of ${next.of}, ${next.words}`)
  }

  return (
    <UnstyledButton
      className={classes.entity}
      data-used
      tabIndex={tabStop ? 0 : -1}
      onPointerEnter={() => mark(true)}
      onPointerLeave={leave}
      onFocus={handleFocus}
      onBlur={leave}
      onClick={(event) => go(event.shiftKey ? -1 : 1)}
    >
      <span className={classes.ring}>
        <Check size={9} strokeWidth={3.5} aria-hidden />
      </span>
      {counted ? (
        <counted.tools.CountedName {...{ keyword, step }} count={counted.places.countOf(keyword)} />
      ) : (
        <EntityName keyword={keyword} state="used" />
      )}
    </UnstyledButton>
  )
}

export const EntityName = ({ keyword, state }: { keyword: string; state: string }) => (
  <span dir="auto">
    {keyword}
    <span className="visually-hidden"> ({state})</span>
  </span>
)
