import { getSchema } from '@tiptap/core'
import { DOMSerializer } from '@tiptap/pm/model'
import { type ArticleDocument, type ArticleText, asDocument } from '../../../../domain/document.ts'
import { ARTICLE_EXTENSIONS } from '../../article/editor/article-extensions.ts'

/**
 * An article's text as HTML: what the editor's own schema makes of it (Q66). The serialiser builds
 * elements of strings in place of the page's own, so that no text passes through a parser on the way.
 */

const schema = getSchema(ARTICLE_EXTENSIONS)
const serializer = DOMSerializer.fromSchema(schema)

/** One line without a frame: neither head nor body. Throws when the document is none of the editor's. */
export function htmlOf(document: ArticleDocument): string {
  const { content } = schema.nodeFromJSON(document)
  const top = newElement('')
  serializer.serializeFragment(content, { document: PAPER }, top as unknown as HTMLElement)
  return top.children.map((child) => written(child)).join('')
}

/** `htmlOf` for a text that may be empty. */
export const htmlOfText = (text: ArticleText): string => htmlOf(asDocument(text))

type Child = WrittenElement | string
type WrittenElement = {
  tag: string
  attributes: [string, string][]
  children: Child[]
  appendChild(child: Child): void
  setAttribute(name: string, value: unknown): void
}

function newElement(tag: string): WrittenElement {
  const attributes: [string, string][] = []
  const children: Child[] = []
  return {
    tag,
    attributes,
    children,
    appendChild: (child) => void children.push(child),
    setAttribute: (name, value) => void attributes.push([name, String(value)]),
  }
}

/** The part of a DOM document that the serialiser uses. */
const PAPER = {
  createElement: newElement,
  createTextNode: (text: string) => text,
} as unknown as Document

const WITHOUT_END = new Set(['br', 'hr'])

/**
 * Writes a direction on outer blocks only: a block with its own `dir` passes none to the list or quote around it, whose
 * markers and bar would then be on the wrong side. Links have their address alone: `rel` is for this application's page.
 */
function written(child: Child, isInside = false): string {
  if (typeof child === 'string') return escaped(child)
  const { tag, attributes, children } = child
  const kept = attributes.filter(([name]) => name !== 'rel' && (!isInside || name !== 'dir'))
  const given = kept.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  if (WITHOUT_END.has(tag)) return `<${tag}${given}>`
  return `<${tag}${given}>${children.map((inner) => written(inner, true)).join('')}</${tag}>`
}

const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"\u00a0]/g, (sign) => REFERENCES[sign] ?? sign)
