import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { NoAnswer } from '../../../../sync/ports.ts'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { textFileName } from '../../../ui/file-name.ts'
import { momentOf } from '../../../ui/moment.ts'
import { RowAction } from '../../../ui/row-action.tsx'
import { useArticles } from '../use-remote.ts'

/**
 * Downloads the article's text as it is on the server now (spec section 2). Without a connection it is the text that this
 * computer has, and the snackbar says of when that is.
 */
export function HtmlFileButton({ article }: { article: { id: string; name: string } }) {
  const articles = useArticles()
  const { saveFile, workspace, clock } = useApp()
  const { user } = useSignedIn()
  const [busy, setBusy] = useState(false)

  /** What failed is said where there is no text here either. */
  async function readKept(error: unknown) {
    if (!(error instanceof NoAnswer)) throw error
    const [{ database }, { readKeptText }] = await Promise.all([
      workspace.open(user),
      import('../../../../sync/status/kept-text.ts'),
    ])
    const kept = await readKeptText(database, article.id)
    if (!kept) throw error
    const { name, text, at } = kept
    const { day, time } = momentOf(new Date(at), new Date(clock.now()))
    notices.info('No connection', `This is the text on this computer. ${day}, ${time}.`)
    return { name, articleText: text }
  }

  async function handleClick() {
    setBusy(true)
    try {
      const [read, { htmlOfText }] = await Promise.all([
        articles.read(article.id).catch(readKept),
        import('../../../../domain/article-html.ts'),
      ])
      saveFile(textFileName(read.name), htmlOfText(read.articleText ?? {}))
      notices.succeed('Article Error')
    } catch (error) {
      notices.fail('Article Error', error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <RowAction
      icon={FileDown}
      label={`Download HTML of ${article.name}`}
      loading={busy}
      onClick={() => void handleClick()}
    />
  )
}
