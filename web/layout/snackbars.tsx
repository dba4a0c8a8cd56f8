import { CloseButton, UnstyledButton } from '@mantine/core'
import { CircleAlert, CircleCheck, RefreshCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClock } from '../app-context.tsx'
import { type Notice, notices, useNotices } from '../notices.ts'
import classes from './snackbars.module.css'

const SHOWN_AT_MOST = 3
const SUCCESS_MS = 5_000
/** Time to read what can be done, too. */
const WITH_ACTIONS_MS = 8_000
const ICONS = { success: CircleCheck, error: CircleAlert, info: RefreshCw }

/** Newest first; what does not fit waits until one above it goes. */
export function Snackbars() {
  const list = useNotices((state) => state.list)
  return (
    <section className={classes.stack} aria-label="Messages">
      {list.slice(0, SHOWN_AT_MOST).map((notice) => (
        <Snackbar key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function Snackbar({ notice }: { notice: Notice }) {
  const { id, kind, title, details, actions } = notice
  const [held, setHeld] = useState(false)
  const clock = useClock()
  // The round arrow of a notice belongs to what can be done about it.
  const Icon = kind === 'info' && actions.length === 0 ? CircleAlert : ICONS[kind]

  useEffect(() => {
    if (kind !== 'success' || held) return undefined
    const shown = actions.length > 0 ? WITH_ACTIONS_MS : SUCCESS_MS
    return clock.after(shown, () => notices.close(id))
  }, [clock, kind, held, id, actions])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the message, nothing is done by it
    <div
      className={classes.snackbar}
      data-kind={kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} strokeWidth={1.6} className={classes.icon} aria-hidden="true" />
      <div className={classes.words} role={kind === 'error' ? 'alert' : 'status'}>
        <div className={classes.title}>{title}</div>
        <div className={classes.details}>{details}</div>
        {actions.map(({ label, run }) => (
          <UnstyledButton
            key={label}
            className={classes.action}
            onClick={() => {
              if (kind === 'success') notices.close(id)
              run()
            }}
          >
            {label}
          </UnstyledButton>
        ))}
      </div>
      <CloseButton
        aria-label="Close this message"
        icon={<X size={16} strokeWidth={1.6} />}
        onClick={() => notices.close(id)}
      />
    </div>
  )
}
