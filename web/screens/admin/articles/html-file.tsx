import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { textFileName } from '../../../ui/file-name.ts'
import { RowAction } from '../../../ui/row-action.tsx'
import { useArticles } from '../use-remote.ts'

/** Downloads the article's text as it is on the server now (spec section 2). */
export function HtmlFileButton({ article }: { article: { id: string; name: string } }) {
  const articles = useArticles()
  const { saveFile } = useApp()
  const [busy, setBusy] = useState(false)

  async function handleClick() {
    setBusy(true)
    try {
      const [{ name, articleText = {} }, { htmlOfText }] = await Promise.all([
        articles.read(article.id),
        import('../../../../domain/article-html.ts'),
      ])
      saveFile(textFileName(name), htmlOfText(articleText))
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
