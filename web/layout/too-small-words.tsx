import { useNames } from '../app/app-context.tsx'
import { Moon } from '../ui/moon/moon.tsx'
import { MoonPhases } from '../ui/moon/moon-phases.tsx'
import { OwlMark } from '../ui/page/logo.tsx'
import classes from './too-small-words.module.css'

type Words = { leastWidth: number; onShow: (() => void) | null }

/** What a window that is too small says, fetched where there is one. */
export function TooSmallWords({ leastWidth, onShow }: Words) {
  const { productName, agencyName } = useNames()
  return (
    <>
      <Crescent />
      <h1 className={classes.words}>
        <span className={classes.sorry}>We're sorry...</span>{' '}
        <span className={classes.reason}>
          designed for larger screens and does not work well on mobile phones or tablets
        </span>
      </h1>
      <p className={classes.own}>
        {productName} opens in a window that is at least {leastWidth} pixels wide. What you have
        written is kept.
      </p>
      {onShow && (
        <button type="button" className={classes.show} onClick={onShow}>
          Show it anyway
        </button>
      )}
      <div className={classes.phases}>
        <MoonPhases size={11} gap={12} night />
      </div>
      <p className={classes.agency}>
        <OwlMark />
        Powered by {agencyName}
      </p>
    </>
  )
}

function Crescent() {
  return (
    <div className={classes.crescent}>
      <svg
        width="150"
        height="150"
        viewBox="-75 -75 150 150"
        fill="none"
        stroke="#2c5d63"
        aria-hidden="true"
      >
        <circle r="74" />
        <circle r="60" />
      </svg>
      <Moon size={88} k={0.18} tone="warn" />
    </div>
  )
}
