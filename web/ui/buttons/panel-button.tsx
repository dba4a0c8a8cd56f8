import { UnstyledButton } from '@mantine/core'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useOnDemand } from '../on-demand.tsx'
import classes from './panel-button.module.css'

type PanelButtonProps<P> = ComponentProps<typeof UnstyledButton<'button'>> & {
  place: 'top-start' | 'top-end' | 'bottom-end'
  /** Pixels. */
  width: number
  /** Pixels between button and panel. */
  offset: number
  panelClass: string
  /** The button is inside a live region, which must not contain the panel. */
  apart?: boolean
  panelProps?: ComponentProps<'div'>
  /** The code of the panel. It is loaded after the page is rendered, or at once when the panel is opened. */
  fetchPanel: () => Promise<ComponentType<P>>
  /** The content of the open panel; `Panel` is null until its code is loaded. */
  panel: (Panel: ComponentType<P> | null, close: () => void) => ReactNode
}

/**
 * A button and the panel it opens in the browser's own top layer, which closes it by Escape or a press
 * elsewhere and gives the focus back.
 */
export function PanelButton<P>(props: PanelButtonProps<P>) {
  const { place, width, offset, panelClass, apart, panelProps, ...rest } = props
  const { fetchPanel, panel, children, ...button } = rest
  const id = useId()
  const target = useRef<HTMLButtonElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  const Panel = useOnDemand(fetchPanel, opened)

  function putInPlace() {
    const from = target.current?.getBoundingClientRect()
    const style = layer.current?.style
    if (!from || !style) return
    const { clientWidth, clientHeight } = document.documentElement
    if (place === 'bottom-end') style.top = `${from.bottom + offset}px`
    else style.bottom = `${clientHeight - from.top + offset}px`
    if (place === 'top-start') style.left = `${from.left}px`
    else style.right = `${clientWidth - from.right}px`
  }

  const shown = (
    <div
      {...panelProps}
      ref={layer}
      id={id}
      popover="auto"
      className={`${classes.panel} ${panelClass}`}
      style={{ width }}
      data-place={place}
      onBeforeToggle={({ newState }) => newState === 'open' && putInPlace()}
      // Only what is shown can take the focus.
      onToggle={({ newState }) => setOpened(newState === 'open')}
    >
      {opened && panel(Panel, () => layer.current?.hidePopover())}
    </div>
  )
  return (
    <>
      <UnstyledButton {...button} ref={target} aria-expanded={opened} popoverTarget={id}>
        {children}
      </UnstyledButton>
      {apart ? createPortal(shown, besideRoot()) : shown}
    </>
  )
}

/** Not the body: React would add its listeners there too and handle each key of the page twice. */
const besideRoot = () => document.getElementById('panels') ?? document.body
