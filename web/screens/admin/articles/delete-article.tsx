import type { Article } from '../../../../domain/wire-articles.ts'
import { notices } from '../../../notices.ts'
import { ConfirmForm } from '../../../ui/confirm-form.tsx'
import { useChange } from '../use-change.ts'
import { useArticles } from '../use-remote.ts'

export function DeleteArticle({ article, onClose }: { article: Article; onClose: () => void }) {
  const articles = useArticles()
  const { busy, make } = useChange<void>({
    call: () => articles.remove(article.id),
    failure: 'Error deleting article',
    onDone: () => {
      notices.success('Article deleted', article.name)
      onClose()
    },
  })
  return (
    <ConfirmForm
      sentence="The article and its entities will be gone for everybody, also for the person who is writing it."
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
