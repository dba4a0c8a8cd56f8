import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import type { Run } from '../../../../domain/compare.ts'
import type { ArticleText } from '../../../../domain/document.ts'
import { type ComparedPart, comparedParts } from './compared-blocks.ts'
import classes from './compared-text.module.css'
import { AUTO, TextBlocks } from './text-blocks.tsx'

/** `before` as it was, with what `after` has not struck through and what only `after` has underlined. */
export function ComparedText({ before, after }: { before: ArticleText; after: ArticleText }) {
  const parts = useMemo(() => comparedParts(before, after), [before, after])
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: another comparison is another list
    <Fragment key={index}>
      {part.kind === 'same' ? <TextBlocks blocks={part.blocks} /> : <Changed {...part} />}
    </Fragment>
  ))
}

type ChangedProps = Extract<ComparedPart, { kind: 'passage' }>

function Changed({ form, level, lines, levels, isFormOnly }: ChangedProps) {
  return (
    <div className={classes.changed}>
      {isFormOnly && <p className={classes.note}>Only the formatting changed.</p>}
      {framed(
        form,
        lines.map((runs, index) =>
          createElement(
            lineTag(form, level, levels[index]),
            { key: index, ...AUTO },
            ...words(runs),
          ),
        ),
      )}
    </div>
  )
}

function framed(form: ChangedProps['form'], lines: ReactNode[]): ReactNode {
  if (form === 'list') return <ul {...AUTO}>{lines}</ul>
  return form === 'quote' ? <blockquote {...AUTO}>{lines}</blockquote> : lines
}

function lineTag(form: ChangedProps['form'], level: number, own: number | null = null): string {
  if (form === 'list') return 'li'
  if (form === 'heading') return `h${own ?? level}`
  return form === 'paragraph' && own !== null ? `h${own}` : 'p'
}

const words = (runs: Run[]): ReactNode[] =>
  runs.map(({ kind, text }) => (kind === 'same' ? text : createElement(TAGS[kind], {}, text)))

const TAGS = { removed: 'del', inserted: 'ins' } as const
