import { type RefObject, useEffect, useRef, useState } from 'react'
import { useClock } from '../app/app-context.tsx'
import classes from './tips.module.css'

const OFFSET = 5

type Tip = { text: string; centre: number; top: number }

/**
 * Shows the `data-tip` of what is pointed at or focused inside `within`, above it, after a moment. Any key press hides
 * it, because the pointer may rest on a button while the user types.
 */
export function Tips({
  within,
  delayMs,
}: {
  within: RefObject<HTMLElement | null>
  delayMs: number
}) {
  const clock = useClock()
  const layer = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<Tip | null>(null)

  useEffect(() => {
    const area = within.current
    if (!area) return
    let forget = () => {}
    function hide() {
      forget()
      setTip(null)
    }
    function show({ target }: Event) {
      const element = (target as Element).closest<HTMLElement>('[data-tip]')
      hide()
      if (!element) return
      forget = clock.after(delayMs, () => {
        const { left, width, top } = element.getBoundingClientRect()
        setTip({ text: element.dataset.tip ?? '', centre: left + width / 2, top })
      })
    }
    const showOfKeyboard = (event: FocusEvent) =>
      (event.target as Element).matches(':focus-visible') && show(event)
    area.addEventListener('mouseover', show)
    area.addEventListener('mouseleave', hide)
    area.addEventListener('focusin', showOfKeyboard)
    area.addEventListener('focusout', hide)
    document.addEventListener('keydown', hide, true)
    return () => {
      hide()
      area.removeEventListener('mouseover', show)
      area.removeEventListener('mouseleave', hide)
      area.removeEventListener('focusin', showOfKeyboard)
      area.removeEventListener('focusout', hide)
      document.removeEventListener('keydown', hide, true)
    }
  }, [within, clock, delayMs])

  useEffect(() => {
    if (tip) layer.current?.showPopover()
    else layer.current?.hidePopover()
  }, [tip])

  return (
    <div
      ref={layer}
      popover="manual"
      role="tooltip"
      className={classes.tip}
      style={tip ? { left: tip.centre, top: tip.top - OFFSET } : undefined}
    >
      {tip?.text}
    </div>
  )
}
