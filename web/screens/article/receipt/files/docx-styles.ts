import { childOf, type Element, valOf } from './xml.ts'

type ParagraphStyle = {
  /** Of a heading, from 1. */
  level: number | null
  isQuote: boolean
  /** The depth of the list, from 1, whose item it continues; null where it continues none. */
  continues: number | null
  numbering: Element | undefined
}

export type Styles = {
  paragraph: (id: string | undefined) => ParagraphStyle
  run: (id: string | undefined) => Look
}

const BASED_ON_MAX = 20

/** Programs translate the ids of styles; the names of the built-in ones stay. */
const HEADING = /^heading ([1-6])$/i
const CONTINUES = /^list continue(?: ([2-9]))?$/i
const QUOTE = /^(?:intense )?quote$|^quotations$|^block text$/i

export function readStyles(root: Element | undefined): Styles {
  const byId = new Map(
    root?.children
      .filter(({ name }) => name === 'w:style')
      .map((style) => [style.attributes.get('w:styleId'), style]),
  )
  /** The style and those that it is based on, the nearest first. */
  function chainOf(id: string | undefined): Element[] {
    const chain: Element[] = []
    for (let next = byId.get(id); next && chain.length < BASED_ON_MAX; ) {
      chain.push(next)
      next = byId.get(valOf(next, 'w:basedOn') ?? '')
    }
    return chain
  }
  return {
    paragraph(id) {
      const chain = chainOf(id)
      const names = chain.map((style) => valOf(style, 'w:name') ?? '')
      const heading = names.map((name) => HEADING.exec(name)?.[1]).find(Boolean)
      const settings = chain.map((style) => childOf(style, 'w:pPr'))
      const outline = settings.map((of) => valOf(of, 'w:outlineLvl')).find(Boolean)
      return {
        level: heading ? Number(heading) : outline ? Number(outline) + 1 : null,
        continues: depthOf(names.map((name) => CONTINUES.exec(name)).find(Boolean)),
        isQuote: names.some((name) => QUOTE.test(name)),
        numbering: settings.map((of) => childOf(of, 'w:numPr')).find(Boolean),
      }
    },
    run(id) {
      const looks = chainOf(id).map((style) => lookOf(childOf(style, 'w:rPr')))
      return Object.assign({}, ...looks.reverse())
    },
  }
}

export type Look = { bold?: boolean; italic?: boolean; strike?: boolean; isHidden?: boolean }

/** Only what the properties set: what they leave open comes from a style. */
export function lookOf(properties: Element | undefined): Look {
  const look: Look = {}
  for (const { name, attributes } of properties?.children ?? []) {
    const isOn = !['0', 'false', 'off'].includes(attributes.get('w:val') ?? '')
    if (name === 'w:b') look.bold = isOn
    else if (name === 'w:i') look.italic = isOn
    else if (name === 'w:strike' || name === 'w:dstrike') look.strike = isOn
    else if (name === 'w:vanish') look.isHidden = isOn
  }
  return look
}

const depthOf = (found: RegExpExecArray | null | undefined): number | null =>
  found ? Number(found[1] ?? 1) : null
