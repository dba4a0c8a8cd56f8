import { inflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** One sheet of paper as Chromium prints it. */
export type PrintedPage = {
  /** In the order of printing, without spaces: a PDF has places in their stead. */
  letters: string
  /** Every colour that something is drawn with, as red, green and blue from 0 to 1. */
  colours: string[]
}

/** Without spaces, to look for it in printed letters. */
export const letters = (text: string): string => text.replace(/\s+/g, '')

/** Prints what the page shows, as Ctrl+P does. */
export async function printed(page: Page): Promise<PrintedPage[]> {
  await page.evaluate(() => document.fonts.ready)
  return pagesOf(await page.pdf({ preferCSSPageSize: true, format: 'A4', printBackground: true }))
}

type Objects = ReadonlyMap<string, string>

function pagesOf(pdf: Buffer): PrintedPage[] {
  const source = pdf.toString('latin1')
  const objects: Objects = new Map(
    [...source.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', body = '']) => [
      id,
      body,
    ]),
  )
  const pages = [...objects.values()].filter((body) => /^<<\/Type \/Page\n/.test(body))
  return pages.map((page) => pageOf(page, objects))
}

function pageOf(page: string, objects: Objects): PrintedPage {
  const fonts = new Map(
    [...page.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
      name,
      glyphsOf(objects.get(id) ?? '', objects),
    ]),
  )
  const drawn = streamOf(/\/Contents (\d+) 0 R/.exec(page)?.[1], objects)
  let font: Glyphs | undefined
  let shown = ''
  for (const [, name, codes = ''] of drawn.matchAll(/\/(F\d+) \S+ Tf|<([\dA-F]+)> Tj/g)) {
    if (name !== undefined) font = fonts.get(name)
    else if (font) shown += readCodes(codes, font)
  }
  const colours = [...drawn.matchAll(/(\S+ \S+ \S+) (?:rg|RG)\b/g)].map(([, colour = '']) => colour)
  return { letters: letters(shown), colours: [...new Set(colours)] }
}

type Glyphs = { digits: number; letters: ReadonlyMap<number, string> }

function readCodes(codes: string, { digits, letters: known }: Glyphs): string {
  const each = codes.match(new RegExp(`.{${digits}}`, 'g')) ?? []
  return each.map((code) => known.get(Number.parseInt(code, 16)) ?? '').join('')
}

/** Characters of the codes of a font, from its ToUnicode table. */
function glyphsOf(font: string, objects: Objects): Glyphs {
  const table = streamOf(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1], objects)
  const known = new Map<number, string>()
  const part = (name: string) =>
    [...table.matchAll(new RegExp(`begin${name}\n(.*?)end${name}`, 'gs'))].map(([, rows]) => rows)
  for (const [, code = '', unicode = ''] of part('bfchar')
    .join('')
    .matchAll(/<(\S+)> <(\S+)>/g))
    known.set(Number.parseInt(code, 16), fromHex(unicode))
  const ranges = part('bfrange')
    .join('')
    .matchAll(/<(\S+)> <(\S+)> <(\S+)>/g)
  for (const [, first = '', last = '', unicode = ''] of ranges) {
    const start = Number.parseInt(first, 16)
    for (let code = start; code <= Number.parseInt(last, 16); code++)
      known.set(code, String.fromCodePoint(Number.parseInt(unicode, 16) + code - start))
  }
  const digits = /begincodespacerange\n<(\S+)>/.exec(table)?.[1]?.length ?? 2
  return { digits, letters: known }
}

const fromHex = (unicode: string): string =>
  Buffer.from(unicode, 'hex').swap16().toString('utf16le')

function streamOf(id: string | undefined, objects: Objects): string {
  const [, packed] = /stream\n(.*)\nendstream/s.exec(objects.get(id ?? '') ?? '') ?? []
  return packed === undefined ? '' : inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
}
