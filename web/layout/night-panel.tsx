import { useNames } from '../app/app-context.tsx'
import { MoonPhases } from '../ui/moon/moon-phases.tsx'
import { wordMoon } from '../ui/moon/word-moon.ts'
import classes from './night-panel.module.css'

const DASHES = wordMoon()

/** The moon at the side of the guest pages. Decorative except for its one line. */
export function NightPanel() {
  const { productName } = useNames()
  return (
    <aside className={classes.panel} aria-label={`About ${productName}`}>
      <svg className={classes.moon} viewBox="-309 -309 618 618" aria-hidden="true">
        <circle r="308" className={classes.orbit} />
        <circle r="262" className={classes.orbit} />
        <circle r="226" className={classes.disc} />
        <g transform="scale(1.032)">
          {DASHES.map(({ x, y, width, color }) => (
            <rect
              key={`${x} ${y}`}
              x={x}
              y={y - 2.4}
              width={width}
              height="4.8"
              rx="2.4"
              fill={color}
            />
          ))}
        </g>
      </svg>
      <p className={classes.line}>A quiet place to write.</p>
      <MoonPhases size={14} gap={12} night />
    </aside>
  )
}
