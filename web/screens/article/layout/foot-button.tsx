import { UnstyledButton } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import classes from './foot-button.module.css'

type FootButtonProps = {
  name: string
  /** Continues the name for screen readers, and is a dot on the screen. */
  news?: string | null
  /** Behind the name. */
  count?: string | null
  icon: LucideIcon
  isOpen: boolean
  onClick: () => void
}

/** Opens and closes a side panel. Gets the focus back when the panel is closed and nothing else has it. */
export function FootButton({ name, news, count, icon: Icon, isOpen, onClick }: FootButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(isOpen)
  useEffect(() => {
    if (before.current && !isOpen && document.activeElement === document.body)
      button.current?.focus()
    before.current = isOpen
  }, [isOpen])
  return (
    <UnstyledButton
      ref={button}
      className={classes.button}
      aria-expanded={isOpen}
      aria-label={news ? `${count ? `${name} ${count}` : name}${news}` : undefined}
      onClick={onClick}
    >
      <Icon size={15} strokeWidth={1.7} aria-hidden />
      {name}
      {count && <span className={classes.count}>{count}</span>}
      {news && <span className={classes.news} />}
    </UnstyledButton>
  )
}

/** Keeps the place of a button that is not here yet, so that the others do not move when it comes. */
export const FootPlace = ({ name }: { name: string }) => (
  <span className={`${classes.button} ${classes.place}`}>{name}</span>
)
