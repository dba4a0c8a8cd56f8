import MarkdownIt from 'markdown-it'
import type { ArticleDocument } from '../../../../../domain/document.ts'
import { readHtml } from './read-html.ts'

const markdown = new MarkdownIt({ html: true })

/** CommonMark with struck text and tables, as the HTML that it means. */
export const readMarkdown = (source: string): [ArticleDocument, ArticleDocument] =>
  readHtml(markdown.render(source))
