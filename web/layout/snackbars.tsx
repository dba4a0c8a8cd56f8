import { CloseButton, UnstyledButton } from '@mantine/core'
import { CircleAlert, CircleCheck, RefreshCw, X } from 'lucide-react'
import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { matchPath, useLocation } from 'react-router-dom'
import { useClock } from '../app/app-context.tsx'
import { type Notice, type NoticeAction, notices, useNotices } from '../app/notices.ts'
import { paths } from '../app/paths.ts'
import { useFocusFallback } from '../ui/focus-fallback.ts'
import classes from './snackbars.module.css'

const SHOWN_AT_MOST = 3
const SUCCESS_MS = 5_000
const SUCCESS_WITH_ACTIONS_MS = 8_000
const ICONS = { success: CircleCheck, error: CircleAlert, info: RefreshCw }

/** At the bottom of the page, newest lowest. Older ones wait until one of those shown goes. */
export function Snackbars() {
  const list = useNotices((state) => state.list)
  const { pathname } = useLocation()
  const { stack, hold, release } = useSteadyStack(list, pathname)
  const cameFrom = useRef<HTMLElement>(null)

  function noteFocus({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      cameFrom.current = relatedTarget
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a button in it that is pressed by key is clicked too
    <section
      className={classes.stack}
      aria-label="Messages"
      data-page={pageOf(pathname)}
      onFocus={noteFocus}
      onPointerMove={(event) => {
        if (isMoved(event)) hold()
      }}
      onPointerLeave={release}
      onClick={release}
    >
      {stack.map((notice) => (
        <Snackbar
          key={notice.id}
          notice={notice}
          isGone={!list.includes(notice)}
          cameFrom={cameFrom}
        />
      ))}
    </section>
  )
}

/**
 * The messages to show. From `hold` to `release` none of them moves: new ones come above, and one that is gone leaves its
 * place empty. Another page releases them too.
 */
function useSteadyStack(list: readonly Notice[], pathname: string) {
  const [held, setHeld] = useState<{ stack: readonly Notice[]; pathname: string } | null>(null)
  const kept = held?.pathname === pathname ? held.stack : []
  const come = list.slice(-SHOWN_AT_MOST).filter((notice) => !kept.includes(notice))
  const stack = [...come, ...kept]
  return {
    stack,
    hold() {
      if (come.length > 0) setHeld({ stack, pathname })
    },
    release: () => setHeld(null),
  }
}

/** False for a message that appears under a resting pointer: such a move event has zero movement. */
const isMoved = ({ movementX, movementY }: PointerEvent): boolean =>
  movementX !== 0 || movementY !== 0

/** Where the free place at the bottom is. */
function pageOf(pathname: string) {
  if (pathname.startsWith('/admin/')) return 'admin'
  return matchPath(paths.article, pathname) ? 'article' : 'other'
}

type SnackbarProps = {
  notice: Notice
  /** Only its place is left. */
  isGone: boolean
  /** Gets the focus back when the message goes with it. */
  cameFrom: RefObject<HTMLElement | null>
}

function Snackbar({ notice, isGone, cameFrom }: SnackbarProps) {
  const { id, kind, title, details, actions } = notice
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const clock = useClock()
  const root = useFocusFallback(cameFrom)
  // The round arrow of a notice belongs to what can be done about it.
  const Icon = kind === 'info' && actions.length === 0 ? CircleAlert : ICONS[kind]
  const closes = kind === 'success'
  const isBlocked = pointed || focused
  const ms = actions.length > 0 ? SUCCESS_WITH_ACTIONS_MS : SUCCESS_MS

  useEffect(() => {
    if (!closes || isBlocked) return undefined
    return clock.after(ms, () => notices.close(id))
  }, [clock, closes, isBlocked, ms, id])

  /** Closes a success message; other messages describe a state that lasts. */
  function take({ run }: NoticeAction) {
    if (closes) notices.close(id)
    run()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only holds the message, nothing is done by it
    <div
      ref={root}
      className={classes.snackbar}
      data-kind={kind}
      data-gone={isGone}
      onPointerMove={(event) => {
        if (isMoved(event)) setPointed(true)
      }}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon size={18} strokeWidth={1.6} className={classes.icon} aria-hidden="true" />
      <div className={classes.words} role={kind === 'error' ? 'alert' : 'status'}>
        <div className={classes.title}>{title}</div>
        <div className={classes.details}>{details}</div>
        {actions.length > 0 && (
          <div className={classes.actions}>
            {actions.map((action) => (
              <UnstyledButton
                key={action.label}
                className={classes.action}
                onClick={() => take(action)}
              >
                {action.label}
              </UnstyledButton>
            ))}
          </div>
        )}
      </div>
      <CloseButton
        aria-label="Close this message"
        icon={<X size={16} strokeWidth={1.6} />}
        onClick={() => notices.close(id)}
      />
    </div>
  )
}
