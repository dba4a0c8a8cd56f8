import { getSchema } from '@tiptap/core'
import { DOMParser as EditorParser } from '@tiptap/pm/model'
import type { ArticleDocument } from '../../../../../domain/text/document.ts'
import { createMarkupParser, type TrustedTypes } from '../../../../platform/trusted-types.ts'
import { ARTICLE_EXTENSIONS } from '../../editor/article-extensions.ts'
import { prepareMarkup } from '../../editor/pasted-markup.ts'

const parser = EditorParser.fromSchema(getSchema(ARTICLE_EXTENSIONS))

/** In a document of its own, where no script runs and nothing is fetched. */
export const parseMarkup = createMarkupParser(
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes,
)

/**
 * Markup as the editor reads a paste; and as it is. Only where it has lines are spaces a matter of layout: the
 * application writes an article in one line, in which every space counts.
 */
export function readHtml(html: string): [ArticleDocument, ArticleDocument] {
  const exact = parser.parse(parseMarkup(html).body, EVERY_SPACE)
  const { body } = parseMarkup(html)
  prepareMarkup(body)
  const hasLines = body.textContent?.includes('\n')
  return [parser.parse(body, hasLines ? {} : EVERY_SPACE).toJSON(), exact.toJSON()]
}

const EVERY_SPACE = { preserveWhitespace: 'full' } as const
