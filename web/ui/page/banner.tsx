import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './banner.module.css'

export type BannerKind = 'error' | 'warning' | 'info' | 'success'

type BannerProps = {
  kind: BannerKind
  icon: LucideIcon
  /** Under the header, over the whole width: centred, without corners. */
  pageWide?: boolean
  /** At the right end. */
  actions?: ReactNode
  children: ReactNode
}

/** A message that stays as long as it is true. Errors interrupt a screen reader, the others wait. */
export function Banner({ kind, icon: Icon, pageWide = false, actions, children }: BannerProps) {
  return (
    <div
      className={classes.banner}
      data-kind={kind}
      data-page-wide={pageWide}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <Icon size={18} strokeWidth={1.6} className={classes.icon} aria-hidden="true" />
      <div className={classes.text}>{children}</div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
