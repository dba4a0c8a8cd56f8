import { UnreadableFile } from './zip.ts'

/** An element with its prefix in the name: 'w:p'. Text between elements is in `text` of the element around it. */
export type Element = {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Element[]
  text: string
}

const PART =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Reads XML as word processors write it. Throws UnreadableFile for anything else; a document type is refused, so no
 * entity can grow.
 */
export function readXml(source: string): Element {
  const root: Element = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [root]
  const part = new RegExp(PART)
  for (let at = source.charCodeAt(0) === 0xfeff ? 1 : 0; at < source.length; at = part.lastIndex) {
    part.lastIndex = at
    const found = part.exec(source)
    const element = open.at(-1)
    if (!found || !element) throw new UnreadableFile()
    const [, data, end, name, attributes = '', empty, text] = found
    if (data !== undefined) element.text += data
    else if (text !== undefined) element.text += unescaped(text)
    else if (end === '/') {
      if (open.length === 1 || open.pop()?.name !== name) throw new UnreadableFile()
    } else if (name !== undefined) {
      const child = { name, attributes: readAttributes(attributes), children: [], text: '' }
      element.children.push(child)
      if (empty !== '/') open.push(child)
    }
  }
  const [first] = root.children
  if (open.length > 1 || !first) throw new UnreadableFile()
  return first
}

const readAttributes = (source: string): Map<string, string> =>
  new Map(
    [...source.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      name,
      unescaped(double ?? single ?? ''),
    ]),
  )

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)

/** The attribute `w:val` of a child. */
export const valOf = (element: Element | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes.get('w:val')
