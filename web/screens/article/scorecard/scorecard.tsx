import { Switch, UnstyledButton } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { Check, ChevronDown } from 'lucide-react'
import {
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { countEntities } from '../../../../domain/keywords/keyword.ts'
import type { KeywordCount } from '../../../../domain/keywords/keyword-places.ts'
import { minimumVerdict, moonPhase } from '../../../../domain/minimum.ts'
import { Gauge } from '../../../ui/moon/gauge.tsx'
import { figure } from '../../../ui/words/figure.ts'
import { handedInText, minimumText } from '../../../ui/words/minimum-text.ts'
import type { Step } from './entity-marks.ts'
import type { EntityPlaces } from './entity-places.ts'
import type { EntityTools } from './entity-tools.ts'
import type { HandedIn } from './handed-in.ts'
import classes from './scorecard.module.css'
import type { EntityGroup, ScorecardStore } from './scorecard-store.ts'
import { createSignal, type Signal, useSignal } from './signal.ts'
import { type CountedEntities, useChoice, useLinesChoice } from './use-scorecard.ts'

type ScorecardProps = {
  store: ScorecardStore
  marking: EntityMarking
  /** Null until the code that counts is loaded. */
  counted: CountedEntities | null
  readOnly: boolean
  wordMinimum: number
  completed: boolean
  handedIn: HandedIn | null
}

/** What pointing at a used entity does in the text. */
export type EntityMarking = {
  editor: Editor
  /** Whether the text has had a cursor. */
  hadCursor: () => boolean
  /** Marks every occurrence; null takes the marks away. */
  mark: (keyword: string | null) => void
  /** Scrolls to the next place (1) or the one before (-1) of `at`, which counts from 0 and is -1 before the first. */
  step: (keyword: string, at: number, by: 1 | -1) => Step | null
  /** Lines under every used entity; returns the function that ends them. */
  showLines: (places: EntityPlaces, tools: EntityTools) => () => void
}

/** The page around it is drawn at every save, this only when something of it changed. */
export const Scorecard = memo(function Scorecard(props: ScorecardProps) {
  const { wordMinimum, completed, handedIn, ...entities } = props
  const [hideUsed, setHideUsed] = useChoice('hide-used-entities')
  return (
    <aside className={classes.scorecard} aria-label="Scorecard">
      <WordGauge words={props.store.words} minimum={wordMinimum} completed={completed} />
      {handedIn && <p className={classes.changed}>{handedIn.sentence}</p>}
      {handedIn?.groups ? (
        <HandedInEntities groups={handedIn.groups} />
      ) : (
        <>
          <Choice label="Hide used entities" checked={hideUsed} onChange={setHideUsed} />
          <TextEntities {...entities} hideUsed={hideUsed} />
        </>
      )}
    </aside>
  )
})

/** The entities that a receipt names: those that were not used, of each group. */
function HandedInEntities({ groups }: { groups: NonNullable<HandedIn['groups']> }) {
  if (countEntities(groups) === 0) return <p className={classes.none}>No entities</p>
  return (
    // It scrolls and has no row that takes the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={classes.entities} aria-label="Entities" tabIndex={0}>
      {groups.map(({ category, used, total, unused }) => (
        <Fragment key={category}>
          <h2 className={classes.groupHead}>
            {category} <Tally used={used} total={total} />
          </h2>
          <ul className={classes.list} aria-label={`${category}, not used`}>
            {unused.map((keyword) => (
              <li key={keyword} className={classes.unused}>
                <span className={classes.ring} />
                <span dir="auto">{keyword}</span>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </section>
  )
}

const Tally = ({ used, total }: { used: number; total: number }) => (
  <span className={classes.tally}>
    <span className="visually-hidden">used </span>
    {used}
    <i>/</i>
    {total}
  </span>
)

type TextEntitiesProps = Omit<ScorecardProps, 'wordMinimum' | 'completed' | 'handedIn'> & {
  hideUsed: boolean
}

/** All entities of an article, with the places where a text uses them: the article's own or an earlier one. */
export function TextEntities(props: TextEntitiesProps) {
  const { store, counted } = props
  const [lines, setLines] = useLinesChoice()
  return (
    <>
      <Choice label="Show entities in the text" checked={lines} onChange={setLines}>
        {lines && counted && <counted.tools.LinesLimit total={counted.places.total} />}
      </Choice>
      {store.groups.length === 0 ? (
        <p className={classes.none}>No entities have been added to this article.</p>
      ) : (
        <Entities {...props} lines={lines} />
      )}
    </>
  )
}

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
  const warns = minimumVerdict(count, minimum) === 'warning'
  const tone = warns ? 'warn' : 'full'
  return (
    <div className={classes.gauge}>
      <Gauge k={moonPhase(count, minimum)} tone={tone} checked={completed && !warns} />
      <div>
        <p className={classes.count} data-tone={tone}>
          <span className={classes.figure} data-testid="word-count">
            {figure(count)}
          </span>{' '}
          {count === 1 ? 'word' : 'words'}
        </p>
        <p className={classes.minimum}>
          {completed ? handedInText(count, minimum) : standing(count, minimum)}
        </p>
      </div>
    </div>
  )
}

/** Below the count of words. Where the two numbers are the same, only this says that it still warns (Q35). */
export const standing = (words: number, minimum: number): string =>
  minimum > 0 && words === minimum ? 'at the minimum: one more word' : minimumText(minimum)

type EntitiesProps = TextEntitiesProps & { lines: boolean }

/** One tab stop for all entities; the arrow keys move between them. */
function Entities(props: EntitiesProps) {
  const { store, hideUsed } = props
  const scroller = useRef<HTMLElement>(null)
  const [said] = useState(() => createSignal(''))
  const [opened, setOpened] = useState<string | null>(null)
  /** The entity whose row gets the focus once it is used. */
  const refocus = useRef<string | null>(null)
  const isEmpty = useTabStop(store, hideUsed) === null
  // A row that is hidden as soon as it is used leaves the focus to the one that the tab key reaches.
  useEffect(() => {
    if (!hideUsed || opened !== null || refocus.current === null) return
    refocus.current = null
    scroller.current?.querySelector<HTMLElement>('[data-entity][tabindex="0"]')?.focus()
  }, [hideUsed, opened])

  function handleKeyDown(event: KeyboardEvent) {
    const rows = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-entity]') ?? [])]
    if (event.key === 'Escape' && opened !== null) {
      // Closes the card only, not the panel.
      event.stopPropagation()
      setOpened(null)
      rows.find(({ ariaExpanded }) => ariaExpanded === 'true')?.focus()
      return
    }
    if (event.key === 'Tab') {
      const next = rowNextToCard(rows, event)
      if (next) event.preventDefault()
      next?.focus()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const next = rows[rows.indexOf(event.target as HTMLElement) + step]
    if (!next || !rows.includes(event.target as HTMLElement)) return
    event.preventDefault()
    next.focus()
  }

  return (
    <section
      ref={scroller}
      className={classes.entities}
      aria-label="Entities"
      // It scrolls and has no row that takes the focus.
      tabIndex={isEmpty ? 0 : undefined}
      onKeyDown={handleKeyDown}
    >
      {store.groups.map((group, tier) => (
        <Group
          key={group.category}
          {...props}
          {...{ group, tier, opened, setOpened, refocus }}
          say={said.set}
        />
      ))}
      <Announcer said={said} />
    </section>
  )
}

/**
 * From the last action of the open card the row below it, and with Shift from the first one its own row: the tab key
 * itself reaches only the row that had the focus last.
 */
function rowNextToCard(
  rows: readonly HTMLElement[],
  { target, shiftKey }: KeyboardEvent,
): HTMLElement | undefined {
  const opened = rows.findIndex(({ ariaExpanded }) => ariaExpanded === 'true')
  const actions = [...(rows[opened]?.nextElementSibling?.querySelectorAll('button') ?? [])]
  if (actions.at(shiftKey ? 0 : -1) !== target) return undefined
  return rows[shiftKey ? opened : opened + 1]
}

/** Apart from the rows, which are not drawn again for it. */
const Announcer = ({ said }: { said: Signal<string> }) => (
  <div role="status" className="visually-hidden">
    {useSignal(said)}
  </div>
)

/** The entity that the tab key reaches; null when no row is shown. A hidden row gives it to the first that is shown. */
function useTabStop({ tabStop, isUsed, keywords }: ScorecardStore, hideUsed: boolean) {
  const stop = useSignal(tabStop)
  const isHidden = useSignal(isUsed(stop ?? '')) && hideUsed
  const instead = isHidden ? keywords.find((keyword) => !isUsed(keyword).get()) : stop
  useEffect(() => {
    if (isHidden && instead !== undefined) tabStop.set(instead)
  }, [isHidden, instead, tabStop])
  return instead ?? null
}

type GroupProps = EntitiesProps & {
  group: EntityGroup
  /** 0 for Must Use. */
  tier: number
  /** Announces it politely. */
  say: (words: string) => void
  /** The unused entity whose card is open. */
  opened: string | null
  setOpened: (keyword: string | null) => void
  refocus: RefObject<string | null>
}

/** What a list that was never in view takes for each row. */
const ROW_HEIGHT = 28

function Group({ group, tier, opened, ...props }: GroupProps) {
  const heading = useId()
  const used = useSignal(group.used)
  const rows = group.keywords.length - (props.hideUsed ? used : 0)
  return (
    <>
      <h2 id={heading} className={classes.groupHead}>
        <span>
          {group.category}
          {props.lines && <span className={classes.legend} data-tier={tier} />}
        </span>{' '}
        <Tally used={used} total={group.keywords.length} />
      </h2>
      <ul
        className={classes.list}
        style={{ containIntrinsicHeight: `auto ${ROW_HEIGHT * rows}px` }}
        aria-labelledby={heading}
      >
        {group.keywords.map((keyword) => (
          <Entity key={keyword} {...props} keyword={keyword} isOpen={opened === keyword} />
        ))}
      </ul>
    </>
  )
}

type EntityProps = Omit<GroupProps, 'group' | 'tier' | 'opened'> & {
  keyword: string
  /** Its card is open, if it is not used. */
  isOpen: boolean
}

const Entity = memo(function Entity({ hideUsed, ...props }: EntityProps) {
  const { store, keyword, isOpen, setOpened } = props
  const used = useSignal(store.isUsed(keyword))
  useEffect(() => {
    if (used && isOpen) setOpened(null)
  }, [used, isOpen, setOpened])
  if (used && hideUsed) return null
  return <li>{used ? <UsedEntity {...props} /> : <UnusedEntity {...props} />}</li>
})

type RowProps = Omit<EntityProps, 'hideUsed'>

/** Opens a card with what is nearly this entity. */
function UnusedEntity({ store, keyword, counted, marking, ...props }: RowProps) {
  const tabStop = useSignal(store.tabStop) === keyword
  const isNew = useSignal(store.added).has(keyword)
  const isOpen = props.isOpen && counted !== null

  function close(by: 'words' | 'insert') {
    if (by === 'words') props.refocus.current = keyword
    // Next to other letters it may still not count.
    if (store.isUsed(keyword).get()) props.say(`${keyword} is used now.`)
    props.setOpened(null)
  }

  return (
    <>
      <UnstyledButton
        className={classes.entity}
        data-entity
        aria-label={`${keyword} (not used${isNew ? ', new' : ''})`}
        tabIndex={tabStop ? 0 : -1}
        aria-expanded={isOpen}
        onFocus={() => store.tabStop.set(keyword)}
        onClick={() => props.setOpened(isOpen ? null : keyword)}
      >
        <span className={classes.ring} />
        <span dir="auto">{keyword}</span>
        {isNew && <span className={classes.added}>new</span>}
        <ChevronDown className={classes.chevron} size={15} strokeWidth={1.7} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <counted.tools.NearMissesCard
          {...{ keyword, editor: marking.editor, places: counted.places }}
          mode={props.readOnly ? 'show' : 'edit'}
          hadCursor={marking.hadCursor}
          onUsed={close}
        />
      )}
    </>
  )
}

const UNCOUNTED = createSignal<KeywordCount | null>(null)

function UsedEntity({ store, keyword, marking, counted, say, refocus }: RowProps) {
  const button = useRef<HTMLButtonElement>(null)
  const tabStop = useSignal(store.tabStop) === keyword
  const isMarking = useRef(false)
  const [step, setStep] = useState<Step | null>(null)
  const count = useSignal(counted?.places.countOf(keyword) ?? UNCOUNTED)
  // It may have come into use since the last count.
  const known = count?.places ? count : null
  function mark(isPointedAt: boolean) {
    isMarking.current = isPointedAt
    marking.mark(isPointedAt ? keyword : null)
  }
  function leave() {
    mark(false)
    setStep(null)
  }
  /** A finger leaves a row before it has pressed it. */
  function handlePointerLeave({ pointerType }: PointerEvent) {
    if (pointerType !== 'mouse') return
    if (document.activeElement === button.current) mark(false)
    else leave()
  }
  function handleKeyDown(event: KeyboardEvent) {
    // Not every browser gives the click of a key its shift.
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    go(-1)
  }
  // Where the entity is not used any more the button goes, and nothing was left or blurred.
  useEffect(
    () => () => {
      if (isMarking.current) marking.mark(null)
    },
    [marking],
  )

  useEffect(() => {
    if (refocus.current !== keyword) return
    refocus.current = null
    button.current?.focus()
  }, [refocus, keyword])

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
      ref={button}
      className={classes.entity}
      data-entity
      data-used
      aria-label={`${keyword} (used)${known && counted ? `, ${counted.tools.countWords(known)}` : ''}`}
      tabIndex={tabStop ? 0 : -1}
      onPointerEnter={() => mark(true)}
      onPointerLeave={handlePointerLeave}
      onKeyDown={handleKeyDown}
      onFocus={handleFocus}
      onBlur={leave}
      onClick={(event) => go(event.shiftKey ? -1 : 1)}
    >
      <span className={classes.ring}>
        <Check size={9} strokeWidth={3.5} aria-hidden />
      </span>
      {known && counted ? (
        <counted.tools.CountedName {...{ keyword, step }} count={known} />
      ) : (
        <span dir="auto">{keyword}</span>
      )}
    </UnstyledButton>
  )
}
