import { copiedText } from '../../domain/exports/copied-text.ts'
import type { ArticleDocument } from '../../domain/text/document.ts'
import { useApp } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { copyText } from '../ui/buttons/copy-text.ts'
import { textFileName } from '../ui/words/file-name.ts'

const COPYING = { subject: 'copy' }

/** Copies the words and shows the outcome as a snackbar. Call it in the click handler. */
export async function copyWords(words: string): Promise<void> {
  try {
    await copyText(() => words)
    notices.success('Text copied', 'The words are copied to your clipboard.', COPYING)
  } catch {
    notices.error('Error', COULD_NOT_COPY, COPYING)
  }
}

const COULD_NOT_COPY = 'There was an error while trying to copy the text to your clipboard.'

/** Two ways to take a text away from this page, whatever the server says. */
export function useKeptText(name: string, read: () => ArticleDocument | Promise<ArticleDocument>) {
  const { saveFile } = useApp()
  return {
    async copyText() {
      try {
        await copyText(() => {
          const text = read()
          return text instanceof Promise ? text.then(copiedText) : copiedText(text)
        })
        const details = `The text of ${name} is copied to your clipboard.`
        notices.success('Text copied', details, COPYING)
      } catch {
        notices.error('Error', COULD_NOT_COPY, COPYING)
      }
    },
    downloadText: () =>
      notices.attempt('Article Error', async () =>
        saveFile(textFileName(name), copiedText(await read())),
      ),
  }
}
