import { useEffect, useRef } from 'react'
import type { Article } from '../../../../domain/wire/articles.ts'
import { notices } from '../../../app/notices.ts'
import { articlePath } from '../../../app/paths.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Dialog, useDialog } from '../../../ui/dialogs/use-dialog.ts'
import { useOnDemand } from '../../../ui/on-demand.tsx'

/** The dialog of an article: of which, and with what it opens. */
export type ArticleEditing = {
  article: Article
  /** Opens on its entities. */
  tab?: 'entities' | undefined
  /** A list that was chosen before and lacks columns. */
  file?: File | undefined
}

export type ArticleForms = { creating: Dialog<'new article'>; editing: Dialog<ArticleEditing> }

export function useArticleForms(): ArticleForms {
  return { creating: useDialog<'new article'>(), editing: useDialog<ArticleEditing>() }
}

const fetchForms = () => import('./forms.ts')

type ArticleDialogsProps = ArticleForms & {
  onCreated?: (article: Article) => void
  onModified?: (article: Article) => void
}

/** For screens whose own query refetches after each change. */
const nothing = () => {}

/** The forms of a new article and of one that is there. */
export function ArticleDialogs({
  creating,
  editing,
  onCreated = nothing,
  onModified = nothing,
}: ArticleDialogsProps) {
  const forms = useOnDemand(fetchForms, creating.opened || editing.opened)
  const sayCreated = useSayCreated(editing)
  return (
    <>
      <FormDialog dialog={whenHere(creating, forms)} title={() => 'Create new article'}>
        {() =>
          forms && (
            <forms.CreateArticle
              onCreated={onCreated}
              onLast={sayCreated}
              onClose={creating.close}
            />
          )
        }
      </FormDialog>
      <FormDialog
        dialog={whenHere(editing, forms)}
        size={1200}
        title={({ article }) => `Edit ${article.name}`}
      >
        {(subject) =>
          forms && (
            <forms.EditArticle {...subject} onModified={onModified} onClose={editing.close} />
          )
        }
      </FormDialog>
    </>
  )
}

/** Opens once its code is here, so that the focus finds its first field. */
const whenHere = <T,>(dialog: Dialog<T>, forms: unknown): Dialog<T> => ({
  ...dialog,
  opened: dialog.opened && forms !== null,
})

/** Says it with what can be done next, for as long as the screen is there that does it. */
function useSayCreated(editing: Dialog<ArticleEditing>) {
  const said = useRef<number | null>(null)
  useEffect(
    () => () => {
      if (said.current !== null) notices.close(said.current)
    },
    [],
  )
  return (article: Article, file?: File) => {
    const hasEntities = article.keywordList.length > 0
    const add = () => editing.open({ article, tab: 'entities' })
    const open = () => void window.open(articlePath(article.id), '_blank', 'noopener')
    said.current = notices.success('Article created', article.name, {
      actions: [
        ...(hasEntities || file ? [] : [{ label: 'Add entities', run: add }]),
        { label: 'Open', run: open },
      ],
    })
    if (file) editing.open({ article, tab: 'entities', file })
  }
}
