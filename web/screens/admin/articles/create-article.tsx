import { useForm } from '@mantine/form'
import type { ArticleCreate } from '../../../../domain/wire-articles.ts'
import { focusFirstFault } from '../../../field-rules.ts'
import { notices } from '../../../notices.ts'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { useChange } from '../use-change.ts'
import { useArticles } from '../use-remote.ts'
import { ArticleFields, type ArticleFieldValues, articleRules } from './article-fields.tsx'
import classes from './article-forms.module.css'

export function CreateArticle({ onClose }: { onClose: () => void }) {
  const articles = useArticles()
  const { busy, make } = useChange<ArticleCreate>({
    call: articles.create,
    failure: 'Error creating article',
    onDone: ({ name }) => {
      notices.success('Article created', name)
      onClose()
    },
  })
  const form = useForm<ArticleFieldValues>({
    initialValues: { name: '', wordMinimum: '', client: null },
    validate: articleRules,
  })

  const handleSubmit = form.onSubmit(
    ({ name, wordMinimum, client }) =>
      make({
        name: name.trim(),
        clientId: client?.id ?? null,
        wordMinimum: Number(wordMinimum),
        articleText: {},
      }),
    (errors) => focusFirstFault(form, errors),
  )

  return (
    <DialogForm
      submit="Create"
      busy={busy}
      changed={form.isDirty()}
      onSubmit={() => handleSubmit()}
      onCancel={onClose}
    >
      <ArticleFields form={form} />
      <p className={classes.note}>Entities may be added after the article is created.</p>
    </DialogForm>
  )
}
