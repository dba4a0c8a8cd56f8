import type { ArticleDocument, ArticleText } from '../../../../../domain/text/document.ts'
import { decodeFile } from '../../../admin/csv/csv-file.ts'
import { type SavedReceipt, savedReceiptIn } from '../saved-receipt.ts'
import { readDocx } from './docx.ts'
import { readText } from './read-text.ts'
import { UnreadableFile } from './zip.ts'

export const FILE_BYTES_MAX = 10 * 1024 * 1024

export type FileReading =
  /** The readings that its format allows. */
  | { kind: 'text'; readings: [ArticleText, ...ArticleText[]] }
  /** A saved receipt; null when what it shows is not what its JSON says. */
  | ({ kind: 'receipt' } & SavedReceipt)

export type FileFault = 'unreadable' | 'too-large'

type Readings = [ArticleDocument, ...ArticleDocument[]]

/** How markup is read. `parse` must run and fetch nothing of what it reads. */
export type MarkupReaders = {
  parse: (markup: string) => Document
  readHtml: (source: string) => Readings
  readMarkdown: (source: string) => Readings
}

/** Returns a function that reads a file without a request. */
export function createFileReader(markup: MarkupReaders) {
  return async (file: File): Promise<FileReading | FileFault> => {
    if (file.size > FILE_BYTES_MAX) return 'too-large'
    try {
      return await readNamed(file.name, new Uint8Array(await file.arrayBuffer()), markup)
    } catch (error) {
      // The browser could not read it: moved since, or not allowed.
      if (error instanceof UnreadableFile || error instanceof DOMException) return 'unreadable'
      throw error
    }
  }
}

async function readNamed(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { parse, readHtml, readMarkdown }: MarkupReaders,
): Promise<FileReading> {
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase()
  if (ending === 'docx') {
    return { kind: 'text', readings: [await readDocx(bytes)] }
  }
  const source = decodeFile(bytes)?.text
  if (source === undefined) throw new UnreadableFile()
  if (ending === 'html' || ending === 'htm') {
    const saved = savedReceiptIn(parse(source), parse)
    return saved ? { kind: 'receipt', ...saved } : { kind: 'text', readings: readHtml(source) }
  }
  if (ending === 'md' || ending === 'markdown') {
    return { kind: 'text', readings: readMarkdown(source) }
  }
  if (ending !== 'txt') throw new UnreadableFile()
  // The agency downloads an article as HTML in a file of this name (spec section 2).
  const page = MARKUP.test(source) ? readHtml(source) : []
  return { kind: 'text', readings: [...page, ...readText(source)] as Readings }
}

const MARKUP = /^\s*<(?:p|h[1-6]|ul|ol|blockquote|hr)\b/i
