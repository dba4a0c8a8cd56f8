import { CloseButton, UnstyledButton } from '@mantine/core'
import { Building2, CalendarDays, Download, Hash, type LucideIcon } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { BULK_ARTICLES_MAX } from '../../../../domain/limits.ts'
import { useClock } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import { isModalOpen } from '../../../keys.ts'
import { nextTool } from '../../../ui/buttons/next-tool.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.ts'
import { useFocusFallback } from '../../../ui/focus-fallback.ts'
import { OnDemand } from '../../../ui/on-demand.tsx'
import { counted, figure } from '../../../ui/words/figure.ts'
import type { SaveAllSubject } from '../save-all/save-all-dialog.tsx'
import { ClientPanel, DuePanel, MinimumPanel } from './bulk-panels.tsx'
import type { SelectedArticle } from './selection.ts'
import classes from './selection-bar.module.css'
import type { Selecting } from './use-selection.ts'

type SelectionBarProps = {
  selecting: Selecting
  /** How many articles the filters have. */
  total: number
  /** Reads these articles. */
  gather: () => Promise<SelectedArticle[]>
  /** Takes the focus when the bar goes. */
  after: RefObject<HTMLElement | null>
}

type Tool = 'due' | 'minimum' | 'client'
const TOOLS: { key: Tool; label: string; icon: LucideIcon }[] = [
  { key: 'due', label: 'Due date', icon: CalendarDays },
  { key: 'minimum', label: 'Minimum', icon: Hash },
  { key: 'client', label: 'Client', icon: Building2 },
]
const PANELS = { due: DuePanel, minimum: MinimumPanel, client: ClientPanel }

const fetchSaveAll = once(
  async () => (await import('../save-all/save-all-dialog.tsx')).SaveAllDialog,
)

/** What can be done with the ticked articles. Escape closes the open panel, then ends the selection. */
export function SelectionBar({ selecting, total, gather, after }: SelectionBarProps) {
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Tool | null>(null)
  const [left, setLeft] = useState(0)
  const saving = useDialog<SaveAllSubject>()
  const bar = useFocusFallback(after)
  const Panel = opened && PANELS[opened]

  const buttonOf = (tool: Tool) =>
    place.current?.querySelector<HTMLElement>(`[data-tool="${tool}"]`) ?? null

  function open(tool: Tool) {
    setLeft(buttonOf(tool)?.offsetLeft ?? 0)
    setOpened(opened === tool ? null : tool)
  }

  function saveAll() {
    const { articles } = selecting
    setOpened(null)
    saving.open({
      name: counted(articles.length, 'article'),
      wanted: { kind: 'articles', articles },
    })
  }

  function close() {
    const button = opened && buttonOf(opened)
    setOpened(null)
    button?.focus()
  }

  useEscape(() => {
    if (opened) close()
    else selecting.clear()
  })

  return (
    <div
      ref={(element) => {
        place.current = element
        return bar(element)
      }}
      className={classes.place}
      data-bulk-bar
    >
      <Toolbar>
        <SelectedCount count={selecting.articles.length} />
        <SelectAll selecting={selecting} total={total} gather={gather} />
        {TOOLS.map(({ key, label, icon: Icon }) => (
          <UnstyledButton
            key={key}
            className={classes.tool}
            data-tool={key}
            aria-expanded={opened === key}
            aria-haspopup="dialog"
            onClick={() => open(key)}
          >
            <Icon size={16} strokeWidth={1.7} aria-hidden="true" />
            {label}
          </UnstyledButton>
        ))}
        <UnstyledButton className={classes.tool} aria-haspopup="dialog" onClick={saveAll}>
          <Download size={16} strokeWidth={1.7} aria-hidden="true" />
          Save all
        </UnstyledButton>
        <span className={classes.rule} />
        <CloseButton
          className={classes.clear ?? ''}
          aria-label="Clear the selection"
          onClick={selecting.clear}
        />
      </Toolbar>
      {Panel && (
        <div
          key={opened}
          className={classes.panel}
          style={{ left }}
          role="dialog"
          aria-label={TOOLS.find(({ key }) => key === opened)?.label}
        >
          <Panel ids={selecting.articles.map(({ id }) => id)} onClose={close} />
        </div>
      )}
      <OnDemand fetch={fetchSaveAll} wanted={saving.subject !== null} props={{ dialog: saving }} />
    </div>
  )
}

/** One tab stop; the arrow keys move between the buttons. */
function Toolbar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])]

  function keepOneStop(stop: Element | null) {
    const all = buttons()
    const chosen = all.find((button) => button === stop) ?? all[0]
    for (const button of all) button.tabIndex = button === chosen ? 0 : -1
  }

  // Also when a button comes or goes.
  useEffect(() => {
    keepOneStop(bar.current?.querySelector('button[tabindex="0"]') ?? null)
  })

  function handleKeyDown(event: KeyboardEvent) {
    const all = buttons()
    const next = nextTool(event.key, all.indexOf(event.target as HTMLButtonElement), all.length)
    if (next === null) return
    event.preventDefault()
    all[next]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Selected articles"
      aria-orientation="horizontal"
      className={classes.bar}
      onKeyDown={handleKeyDown}
      onFocus={({ target }) => keepOneStop(target)}
    >
      {children}
    </div>
  )
}

const SAID_AFTER_MS = 500

/** Said once the ticking paused. */
function SelectedCount({ count }: { count: number }) {
  const clock = useClock()
  const [said, setSaid] = useState('')
  const words = `${figure(count)} selected`
  useEffect(() => clock.after(SAID_AFTER_MS, () => setSaid(words)), [clock, words])
  return (
    <>
      <span className={classes.count} aria-hidden="true">
        {words}
      </span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}

type SelectAllProps = Pick<SelectionBarProps, 'selecting' | 'total' | 'gather'>

/** Offered where all of a page are ticked and there are more. */
function SelectAll({ selecting, total, gather }: SelectAllProps) {
  const [busy, setBusy] = useState(false)
  const most = Math.min(total, BULK_ARTICLES_MAX)
  if (selecting.head !== 'all' || selecting.articles.length >= most) return null

  async function selectAll() {
    setBusy(true)
    try {
      selecting.selectAll(await gather())
    } catch (error) {
      notices.fail('Error retrieving articles', error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <SteadyButton
      variant="subtle"
      size="compact-sm"
      loading={busy}
      onClick={() => void selectAll()}
    >
      {most === total
        ? `Select all ${figure(total)}`
        : `Select ${figure(most)} of ${figure(total)}`}
    </SteadyButton>
  )
}

/** Not where Escape has another meaning: in a list that is open, in a search, below a dialog. */
function useEscape(run: () => void) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const listen = ({ key, target, defaultPrevented }: globalThis.KeyboardEvent) => {
      const isOfOther =
        target instanceof Element &&
        target.matches('[data-mantine-stop-propagation], [type="search"]')
      if (key === 'Escape' && !defaultPrevented && !isOfOther && !isModalOpen()) latest.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
