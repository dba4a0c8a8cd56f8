import type { ArticleText } from '../../../../../domain/text/document.ts'
import type { Receipt } from '../../../../../domain/wire/hand-ins.ts'
import { decodeFile } from '../../../admin/csv/csv-file.ts'
import { readDocx } from './docx.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { readReceipt } from './read-receipt.ts'
import { readText } from './read-text.ts'
import { UnreadableFile } from './zip.ts'

export const FILE_BYTES_MAX = 10 * 1024 * 1024
export type FileReading =
  /** The readings that its format allows. */
  | { kind: 'text'; readings: [ArticleText, ...ArticleText[]] }
  /** A saved receipt; null when what it shows is not what its JSON says. */
  | { kind: 'receipt'; receipt: Receipt | null }

export type FileFault = 'unreadable' | 'too-large'

/** Reads it in the browser alone. */
export async function readFile(file: File): Promise<FileReading | FileFault> {
  if (file.size > FILE_BYTES_MAX) return 'too-large'
  try {
    return await readNamed(file.name, new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    // The browser could not read it: moved since, or not allowed.
    if (error instanceof UnreadableFile || error instanceof DOMException) return 'unreadable'
    throw error
  }
}

/** What was pasted: its markup, and its words alone. */
export function readPasted(html: string, text: string): FileReading | FileFault {
  if (html.length + text.length > FILE_BYTES_MAX) return 'too-large'
  const plain = readText(text)
  return { kind: 'text', readings: html === '' ? plain : [...readHtml(html), ...plain] }
}

async function readNamed(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileReading> {
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase()
  if (ending === 'docx') {
    return { kind: 'text', readings: [await readDocx(bytes)] }
  }
  const source = decodeFile(bytes)?.text
  if (source === undefined) throw new UnreadableFile()
  if (ending === 'html' || ending === 'htm') return readPage(source)
  if (ending === 'md' || ending === 'markdown') {
    return { kind: 'text', readings: readMarkdown(source) }
  }
  if (ending !== 'txt') throw new UnreadableFile()
  // The agency downloads an article as HTML in a file of this name (spec section 2).
  const page = MARKUP.test(source) ? readHtml(source) : []
  return {
    kind: 'text',
    readings: [...page, ...readText(source)] as [ArticleText, ...ArticleText[]],
  }
}

const MARKUP = /^\s*<(?:p|h[1-6]|ul|ol|blockquote|hr)\b/i

function readPage(source: string): FileReading {
  const saved = readReceipt(source)
  return saved ? { kind: 'receipt', ...saved } : { kind: 'text', readings: readHtml(source) }
}
