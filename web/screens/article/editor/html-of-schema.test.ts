import { getSchema } from '@tiptap/core'
import { DOMSerializer } from '@tiptap/pm/model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlOf } from '../../../../domain/exports/article-html.ts'
import { type ArticleDocument, EMPTY_DOCUMENT } from '../../../../domain/text/document.ts'
import { anyDocument } from '../../../../e2e/any-document.ts'
import { randomRuns } from '../../../../scripts/test-depth.ts'
import { ARTICLE_EXTENSIONS } from './article-extensions.ts'

/**
 * The HTML of an article equals what the editor's schema serialises (Q66), except for directions: the editor writes
 * `dir="auto"` on every block, a file `dir="rtl"` on right-to-left blocks alone.
 */

test('random documents are the HTML of the editor’s schema', {
  tags: ['@AA-25', '@Q66'],
}, () => {
  const ofSchema = (document: ArticleDocument) =>
    htmlOfSchema(document).replaceAll(' dir="auto"', '')
  expect(htmlOf(EMPTY_DOCUMENT)).toBe(ofSchema(EMPTY_DOCUMENT))
  fc.assert(
    fc.property(anyDocument, (document) => {
      expect(htmlOf(document).replaceAll(' dir="rtl"', '')).toBe(ofSchema(document))
    }),
    { numRuns: randomRuns(1_000) },
  )
})

const schema = getSchema(ARTICLE_EXTENSIONS)
const serializer = DOMSerializer.fromSchema(schema)

/** The serialiser builds elements of strings, as there is no page here. */
function htmlOfSchema(document: ArticleDocument): string {
  const { content } = schema.nodeFromJSON(document)
  const top = newElement('')
  serializer.serializeFragment(content, { document: PAPER }, top as unknown as HTMLElement)
  return top.children.map((child) => written(child)).join('')
}

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
