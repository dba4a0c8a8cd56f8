import { Moon } from './moon.tsx'
import classes from './moon-phases.module.css'

const PHASES = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((eighths) => eighths / 8)

/** A row of moons from new to full. An ornament. */
export function MoonPhases({
  size,
  gap,
  night = false,
}: {
  size: number
  gap: number
  night?: boolean
}) {
  return (
    <div className={classes.row} data-night={night} style={{ gap }} aria-hidden="true">
      {PHASES.map((k) => (
        <Moon key={k} size={size} k={k} tone="warn" />
      ))}
    </div>
  )
}
