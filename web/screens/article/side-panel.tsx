import { UnstyledButton } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react'
import classes from './side-panel.module.css'

type SidePanelProps = {
  title: string
  /** One or two sentences below the title. */
  intro: string
  onBack: () => void
  ref?: Ref<HTMLElement>
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Replaces the scorecard; the content below its head scrolls separately. */
export function SidePanel({ title, intro, onBack, ref, onKeyDown, children }: SidePanelProps) {
  const heading = useId()
  return (
    <aside ref={ref} className={classes.panel} aria-labelledby={heading} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <UnstyledButton className={classes.back} onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={1.7} aria-hidden />
          Back to the scorecard
        </UnstyledButton>
        <h2 id={heading} className={classes.title}>
          {title}
        </h2>
        <p className={classes.intro}>{intro}</p>
      </div>
      {children}
    </aside>
  )
}
