import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { ArticleText } from '../../../../domain/text/document.ts'
import { EARLIEST, type FileFormat, fileBytes } from '../../../exports/article-file.ts'

/**
 * The worker side of a saved archive: one session per archive. Each question has one answer with its turn; `finish` has
 * the archive.
 */
export type ZipQuestion = { turn: number } & (
  | { kind: 'article'; path: string; format: FileFormat; title: string; text: ArticleText }
  | { kind: 'file'; path: string; content: string }
  | { kind: 'finish' }
)

export type ZipAnswer = {
  turn: number
} /** `bytes`: the size of the file before it was packed. */ & (
  | { kind: 'added'; bytes: number }
  | { kind: 'archive'; archive: Blob }
)

/** Returns the function that takes the page's questions. */
export function createZipSession(
  answer: (answer: ZipAnswer) => void,
): (question: ZipQuestion) => void {
  const pieces: BlobPart[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece as Uint8Array<ArrayBuffer>)
  })

  function add(path: string, bytes: Uint8Array): number {
    // A Word file is packed already.
    const file = path.endsWith('.docx') ? new ZipPassThrough(path) : new ZipDeflate(path)
    file.mtime = EARLIEST
    zip.add(file)
    file.push(bytes, true)
    return bytes.length
  }

  return (question) => {
    const { turn } = question
    switch (question.kind) {
      case 'article': {
        const { path, format, title, text } = question
        return answer({ turn, kind: 'added', bytes: add(path, fileBytes(format, title, text)) })
      }
      case 'file':
        return answer({ turn, kind: 'added', bytes: add(question.path, strToU8(question.content)) })
      case 'finish':
        zip.end()
        answer({ turn, kind: 'archive', archive: new Blob(pieces, { type: 'application/zip' }) })
    }
  }
}
