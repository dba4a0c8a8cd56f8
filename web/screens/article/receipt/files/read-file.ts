import {
  createFileReader,
  FILE_BYTES_MAX,
  type FileFault,
  type FileReading,
} from './file-reader.ts'
import { parseMarkup, readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { readText } from './read-text.ts'

export const readFile = createFileReader({ parse: parseMarkup, readHtml, readMarkdown })

/** What was pasted: its markup, and its words alone. */
export function readPasted(html: string, text: string): FileReading | FileFault {
  if (html.length + text.length > FILE_BYTES_MAX) return 'too-large'
  const plain = readText(text)
  return { kind: 'text', readings: html === '' ? plain : [...readHtml(html), ...plain] }
}
