import { useQueryClient } from '@tanstack/react-query'
import type { Article } from '../../../../domain/wire/articles.ts'
import { notices } from '../../../app/notices.ts'
import { ConfirmForm } from '../../../ui/dialogs/confirm-form.tsx'
import { useChange } from '../use-change.ts'
import { useArticles } from '../use-remote.ts'

type DeleteArticleProps = {
  article: Article
  onDeleted: (articleId: string) => void
  onClose: () => void
}

export function DeleteArticle({ article: { id, name }, onDeleted, onClose }: DeleteArticleProps) {
  const articles = useArticles()
  const queries = useQueryClient()
  const { busy, make } = useChange<void>({
    call: () => articles.remove(id),
    failure: 'Error deleting article',
    onDone: () => {
      notices.success('Article deleted', `${name}. An admin can restore it for 30 days.`, {
        actions: [{ label: 'Undo', run: () => void undo() }],
      })
      onDeleted(id)
      onClose()
    },
  })

  /** The dialog is gone by then. */
  async function undo() {
    try {
      await articles.restore(id)
      notices.success('Article restored', name)
    } catch (error) {
      notices.fail('Error restoring article', error)
    }
    void queries.invalidateQueries()
  }

  return (
    <ConfirmForm
      sentence="The article and its entities will be deleted for everyone, including anyone writing it now. An admin can restore it for 30 days."
      busy={busy}
      onConfirm={() => make()}
      onCancel={onClose}
    />
  )
}
