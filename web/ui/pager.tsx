import { Pagination } from '@mantine/core'
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
  return (
    <nav aria-label={`Pages of ${label}`}>
      <Pagination
        total={pages}
        value={page}
        onChange={onChange}
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
