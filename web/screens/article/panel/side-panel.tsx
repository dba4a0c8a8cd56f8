import { UnstyledButton } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import foot from './panel-foot.module.css'
import classes from './side-panel.module.css'

type SidePanelProps = {
  title: string
  /** One or two sentences below the title. */
  intro?: string | null
  /** The name of the way back. */
  back?: string
  onBack: () => void
  ref?: Ref<HTMLElement>
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Replaces the scorecard; the content below its head scrolls separately. */
export function SidePanel(props: SidePanelProps) {
  const { title, intro, back = 'Back to the scorecard', onBack, ref, onKeyDown, children } = props
  const heading = useId()
  return (
    <aside ref={ref} className={classes.panel} aria-labelledby={heading} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <UnstyledButton className={classes.back} onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={1.7} aria-hidden />
          {back}
        </UnstyledButton>
        <h2 id={heading} className={classes.title}>
          {title}
        </h2>
        {intro && <p className={classes.intro}>{intro}</p>}
      </div>
      {children}
    </aside>
  )
}

/** At most two buttons at the lower end, and what belongs to them. */
export const PanelFoot = ({ children }: { children: ReactNode }) => (
  <div className={foot.foot}>{children}</div>
)
