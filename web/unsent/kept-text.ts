import { copiedText } from '../../domain/copied-text.ts'
import type { ArticleDocument } from '../../domain/document.ts'
import { useApp } from '../app-context.tsx'
import { notices } from '../notices.ts'
import { textFileName } from '../ui/file-name.ts'

const COPYING = { subject: 'copy' }

/** Asks for the clipboard at once: WebKit refuses one that is asked for after `read`, as not by the user's press. */
const copyLater = (read: () => Promise<string>): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ 'text/plain': read() })])

/** Two ways to take a text away from this page, whatever the server says. */
export function useKeptText(name: string, read: () => ArticleDocument | Promise<ArticleDocument>) {
  const { saveFile } = useApp()
  return {
    async copyText() {
      try {
        await copyLater(async () => copiedText(await read()))
        const details = `The text of ${name} is copied to your clipboard.`
        notices.success('Text copied', details, COPYING)
      } catch {
        const details = 'There was an error while trying to copy the text to your clipboard.'
        notices.error('Error', details, COPYING)
      }
    },
    downloadText: () =>
      notices.telling('Article Error', async () =>
        saveFile(textFileName(name), copiedText(await read())),
      ),
  }
}
