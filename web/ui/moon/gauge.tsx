import classes from './gauge.module.css'
import { MoonDisc, type MoonTone } from './moon.tsx'

type GaugeProps = { k: number; tone: MoonTone; checked?: boolean }

/** The moon inside a ring that shows the same part clockwise from the top. Decorative, like the moon. */
export function Gauge({ k, tone, checked = false }: GaugeProps) {
  return (
    <svg
      className={classes.gauge}
      width="92"
      height="92"
      viewBox="-46 -46 92 92"
      aria-hidden="true"
    >
      <circle r={RADIUS} className={classes.track} />
      <circle
        r={RADIUS}
        className={classes.ring}
        data-tone={tone}
        data-empty={k === 0}
        pathLength="1"
        strokeDasharray="1"
        strokeDashoffset={1 - k}
        transform="rotate(-90)"
      />
      <g transform={`scale(${(46 * MOON_PART) / 50})`}>
        <MoonDisc k={k} tone={tone} checked={checked} />
      </g>
    </svg>
  )
}

/** The ring's line is 4 % of the gauge; its middle runs half a line inside the edge. */
const RADIUS = 46 - 1.84
const MOON_PART = 0.72
