import { createElement, Fragment, type ReactNode } from 'react'
import type { DocumentMark, DocumentNode } from '../../../../domain/document.ts'

/** Blocks of a document to read, not to write. */
export function TextBlocks({ blocks }: { blocks: readonly DocumentNode[] }): ReactNode {
  return blocks.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one document never move
    <Fragment key={index}>{elementOf(node)}</Fragment>
  ))
}

function elementOf({ type, text = '', attrs, marks = [], content = [] }: DocumentNode): ReactNode {
  switch (type) {
    case 'text':
      return marks.reduceRight<ReactNode>(marked, text)
    case 'hardBreak':
      return <br />
    case 'horizontalRule':
      return <hr />
    case 'heading':
      return createElement(`h${attrs?.level ?? 1}`, AUTO, <TextBlocks blocks={content} />)
    case 'orderedList':
      return (
        <ol {...AUTO} start={Number(attrs?.start ?? 1)}>
          <TextBlocks blocks={content} />
        </ol>
      )
    default:
      return createElement(TAGS[type] ?? 'p', type === 'listItem' ? null : AUTO, lineOf(content))
  }
}

/** Each block runs in the direction of its own letters, as in the editor. */
export const AUTO = { dir: 'auto' }

/** An empty paragraph is as high as a line. */
const lineOf = (content: DocumentNode[]): ReactNode =>
  content.length === 0 ? <br /> : <TextBlocks blocks={content} />

const TAGS: Record<string, string | undefined> = {
  bulletList: 'ul',
  listItem: 'li',
  blockquote: 'blockquote',
}

const MARK_TAGS = { bold: 'strong', italic: 'em', strike: 's' } as const

const marked = (inner: ReactNode, { type }: DocumentMark): ReactNode =>
  createElement(MARK_TAGS[type], {}, inner)
