import classes from './initials-circle.module.css'

/** Decorates a written name, so it is hidden from screen readers. */
export function InitialsCircle({ initials, size }: { initials: string; size: 26 | 32 | 40 | 72 }) {
  return (
    <span className={classes.circle} data-size={size} aria-hidden="true">
      {initials}
    </span>
  )
}
