import { litPath } from './lit-path.ts'
import classes from './moon.module.css'

export type MoonTone = 'warn' | 'full'

type MoonProps = {
  /** Pixels. */
  size: number
  /** Lit part of the disc, 0 to 1. */
  k: number
  tone: MoonTone
  /** Carries a check: the article is Complete. */
  checked?: boolean
}

/** The moon of an article's progress. Decorative: the text next to it says the same. */
export function Moon({ size, k, tone, checked = false }: MoonProps) {
  return (
    <svg
      className={classes.moon}
      width={size}
      height={size}
      viewBox="-50 -50 100 100"
      aria-hidden="true"
    >
      <MoonDisc k={k} tone={tone} checked={checked} />
    </svg>
  )
}

/** The moon as part of another drawing: radius 50 around the origin. */
export function MoonDisc({ k, tone, checked = false }: Omit<MoonProps, 'size'>) {
  return (
    <>
      <circle r="50" className={classes.dark} />
      <path d={litPath(k)} className={classes.lit} data-tone={tone} />
      {checked && <path d={CHECK} className={classes.edge} />}
      {checked && <path d={CHECK} className={classes.check} />}
    </>
  )
}

const CHECK = 'M-19 2 L-6 15 L20 -13'
