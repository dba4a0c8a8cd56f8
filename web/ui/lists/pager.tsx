import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Pagination.css'
import { Pagination } from '@mantine/core'
import { useEffect, useRef } from 'react'
import classes from './pager.module.css'

type PagerProps = {
  /** What is paged, for screen readers. */
  label: string
  /** Counted from 1. */
  page: number
  pages: number
  onChange: (page: number) => void
}

export function Pager({ label, page, pages, onChange }: PagerProps) {
  const nav = useRef<HTMLElement>(null)
  const wasPressed = useRef(false)
  // The arrow that led to the first or the last page can have the focus no more.
  useEffect(() => {
    const isLost = wasPressed.current && document.activeElement?.matches('body, :disabled')
    wasPressed.current = false
    if (isLost) nav.current?.querySelector<HTMLElement>(`[aria-label="Page ${page}"]`)?.focus()
  }, [page])
  return (
    <nav aria-label={`Pages of ${label}`} ref={nav}>
      <Pagination
        total={pages}
        value={page}
        onChange={(wanted) => {
          wasPressed.current = true
          onChange(wanted)
        }}
        siblings={2}
        gap={8}
        classNames={{ control: classes.control, dots: classes.dots }}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? 'Next page' : 'Previous page',
        })}
      />
    </nav>
  )
}
