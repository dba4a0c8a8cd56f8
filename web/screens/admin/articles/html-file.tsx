import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { useApp, useSignedIn } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { once } from '../../../app/once.ts'
import { useDates } from '../../../app/use-dates.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'
import { useOnDemand } from '../../../ui/on-demand.tsx'
import { textFileName } from '../../../ui/words/file-name.ts'
import { useArticles } from '../use-remote.ts'

/** With what is needed without a connection, as it may be gone when the button is pressed. */
const fetchText = once(async () => ({
  ...(await import('../../../../domain/exports/article-html.ts')),
  ...(await import('./text-here.ts')),
}))

/**
 * Downloads the article's text as it is on the server now (spec section 2). Without a connection it is the text that this
 * computer has, and the snackbar says of when that is.
 */
export function HtmlFileButton({ article }: { article: { id: string; name: string } }) {
  const articles = useArticles()
  const { saveFile, workspace, clock } = useApp()
  const { user } = useSignedIn()
  const dates = useDates()
  const [busy, setBusy] = useState(false)
  useOnDemand(fetchText)

  async function handleClick() {
    setBusy(true)
    try {
      const [read, { htmlOfText }] = await Promise.all([
        articles.read(article.id).catch(async (error) => {
          const { readHere } = await fetchText()
          return readHere({
            error,
            articleId: article.id,
            user,
            workspace,
            dates,
            now: clock.now(),
          })
        }),
        fetchText(),
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
