import { getSchema } from '@tiptap/core'
import { DOMParser as EditorParser } from '@tiptap/pm/model'
import fc from 'fast-check'
import { htmlOf } from '../domain/exports/article-html.ts'
import { type ArticleDocument, sameDocument } from '../domain/text/document.ts'
import { ARTICLE_EXTENSIONS } from '../web/screens/article/editor/article-extensions.ts'
import { anyDocument, hostileText } from './any-document.ts'

/** Runs inside a browser, whose HTML parser is the one that counts. */

const schema = getSchema(ARTICLE_EXTENSIONS)

function readBack(html: string): ArticleDocument {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const node = EditorParser.fromSchema(schema).parse(body, { preserveWhitespace: 'full' })
  return node.toJSON()
}

/** A list that says it counts in figures is the same list as one that says nothing; the schema writes neither. */
const withoutFigureType = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'type' && value === '1' ? null : value,
  )

/** Null when every one of `numRuns` random documents comes back as it was; else the smallest that does not. */
function roundTripFault(numRuns: number, seed: number): string | null {
  const { failed, counterexample } = fc.check(
    fc.property(anyDocument, (document) =>
      sameDocument(readBack(htmlOf(document)), withoutFigureType(document)),
    ),
    { numRuns, seed },
  )
  if (!failed || !counterexample) return null
  const [document] = counterexample
  return JSON.stringify({ document, html: htmlOf(document), read: readBack(htmlOf(document)) })
}

/** One document in which every paragraph is a hostile text, and the texts. */
function hostileHtml(count: number, seed: number): { html: string; texts: string[] } {
  const texts = fc.sample(hostileText, { numRuns: count, seed })
  const content = texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  return { html: htmlOf({ type: 'doc', content }), texts }
}

Object.assign(globalThis, { roundTripFault, hostileHtml })
