import MarkdownIt from 'markdown-it'
import type { ArticleDocument } from '../../../../../domain/text/document.ts'
import { readHtml } from './read-html.ts'

const markdown = new MarkdownIt({ html: true })
// Addresses stay as they are written: encoding more of one would make it another.
markdown.normalizeLink = (href) => href

/**
 * CommonMark with struck text and tables, as the HTML that it means; and so that every space counts, as the application
 * writes an article.
 */
export const readMarkdown = (source: string): [ArticleDocument, ArticleDocument] => {
  const html = markdown.render(source)
  return [readHtml(html)[0], readHtml(withoutLayout(html))[1]]
}

/** Line ends after a tag, or before one that is no mark, are layout; all others are of the text. */
const withoutLayout = (html: string): string =>
  html.replace(
    /(<(?:br|hr|\/?(?:p|h[1-6]|[uo]l|li|blockquote))\b[^>]*>)\n|\n(?=<\/?(?:[uo]l|li)\b)/g,
    '$1',
  )
