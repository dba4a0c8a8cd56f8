import { Loader } from '@mantine/core'
import classes from './loading-ring.module.css'

/** The one sign of waiting, centred in its place; it shows after 200 ms so that short waits stay calm. */
export function LoadingRing() {
  return (
    <div className={classes.place} role="status" aria-label="Loading">
      <Loader />
    </div>
  )
}
