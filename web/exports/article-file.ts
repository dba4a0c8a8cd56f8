import { strToU8, zipSync } from 'fflate'
import { docxParts } from '../../domain/exports/article-docx.ts'
import { htmlPage } from '../../domain/exports/article-html.ts'
import { markdownOf } from '../../domain/exports/article-markdown.ts'
import { copiedText } from '../../domain/exports/copied-text.ts'
import type { ArticleText } from '../../domain/text/document.ts'

/** The formats in which an article can be saved, by the endings of their files. */
export type FileFormat = 'docx' | 'html' | 'md' | 'txt'

export const FILE_FORMATS: readonly { ending: FileFormat; name: string }[] = [
  { ending: 'docx', name: 'Word' },
  { ending: 'html', name: 'HTML' },
  { ending: 'md', name: 'Markdown' },
  { ending: 'txt', name: 'plain text' },
]

/** `title` is the name of the article. The same text gives the same file, to the byte. */
export const fileBytes = (
  format: FileFormat,
  title: string,
  text: ArticleText,
): Uint8Array<ArrayBuffer> => WRITERS[format](title, text)

export const articleFile = (format: FileFormat, title: string, text: ArticleText): Blob =>
  new Blob([fileBytes(format, title, text)], { type: TYPES[format] })

const TYPES: Record<FileFormat, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html;charset=utf-8',
  md: 'text/markdown;charset=utf-8',
  txt: 'text/plain;charset=utf-8',
}

type Writer = (title: string, text: ArticleText) => Uint8Array<ArrayBuffer>

const WRITERS: Record<FileFormat, Writer> = {
  docx: (title, text) => {
    const parts = Object.entries(docxParts(title, text)).map(([name, xml]) => [name, strToU8(xml)])
    return zipSync(Object.fromEntries(parts), { mtime: EARLIEST })
  },
  html: (title, text) => strToU8(htmlPage(title, text)),
  md: (_, text) => strToU8(lines(markdownOf(text))),
  txt: (_, text) => strToU8(lines(copiedText(text))),
}

/** The first time that the format knows, so that a file says nothing of when it was made. */
export const EARLIEST = new Date(1980, 0, 1)

const lines = (text: string): string => (text === '' ? '' : `${text}\n`)
