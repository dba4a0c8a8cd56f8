import { Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Article, ArticleCreate, Keyword } from '../../../../domain/wire/articles.ts'
import type { Template } from '../../../../domain/wire/templates.ts'
import { notices } from '../../../app/notices.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { CsvFileField } from '../csv/csv-file-field.tsx'
import { unmatchedLabels } from '../csv/csv-table.ts'
import { sending } from '../send-form.ts'
import { useChange } from '../use-change.ts'
import { useArticles } from '../use-remote.ts'
import { ArticleFields, type ArticleFieldValues, articleRules } from './article-fields.tsx'
import classes from './article-forms.module.css'
import { ReadEntities } from './read-entities.tsx'
import { StartFrom } from './start-from.tsx'
import { fieldOf, useUpload } from './use-upload.ts'

type CreateArticleProps = {
  onCreated: (article: Article) => void
  /** No other follows. `file` lacks columns and is still to be read. */
  onLast: (article: Article, file?: File) => void
  onClose: () => void
}

type Creation = { article: ArticleCreate; keywordList: Keyword[]; file: File | undefined }
/** `fault`: the article is there, without its entities. */
type Created = { article: Article; fault?: unknown }

const NOTHING: Keyword[] = []

export function CreateArticle({ onCreated, onLast, onClose }: CreateArticleProps) {
  const articles = useArticles()
  const [isSeries, setIsSeries] = useState(false)
  const [last, setLast] = useState<string | null>(null)
  const [template, setTemplate] = useState<Template | null>(null)
  const upload = useUpload(NOTHING)
  const { file, fault, sample, mapping } = upload.state
  const isUnmatched = sample !== null && unmatchedLabels(mapping).length > 0
  const form = useForm<ArticleFieldValues>({
    initialValues: { name: '', wordMinimum: '', client: null },
    validate: articleRules,
  })

  const { busy, make } = useChange<Creation, Created>({
    call: async ({ article, keywordList }) => {
      const created = await articles.create(article)
      if (keywordList.length === 0) return { article: created }
      try {
        return { article: await articles.modify(created.id, { keywordList }) }
      } catch (error) {
        return { article: created, fault: error }
      }
    },
    failure: 'Error creating article',
    onDone: ({ file: unread }, created) => {
      if (created.fault !== undefined) notices.fail('Error modifying article', created.fault)
      onCreated(created.article)
      if (isSeries) return startNext(created.article)
      onLast(created.article, unread)
      onClose()
    },
  })

  /** Its minimum replaces that of the template before, and none that was typed. */
  function startFrom(chosen: Template | null) {
    const before = template ? String(template.wordMinimum) : ''
    setTemplate(chosen)
    if (form.values.wordMinimum === before)
      form.setFieldValue('wordMinimum', chosen ? String(chosen.wordMinimum) : '')
  }

  function startNext({ name }: Article) {
    setLast(name)
    upload.csv.choose(null)
    form.setInitialValues({ ...form.getValues(), name: '' })
    form.reset()
    form.getInputNode('name')?.focus()
  }

  const handleSubmit = sending(form, ({ name, wordMinimum, client }) => {
    if (file !== null && (fault !== null || (upload.isUnfinished && !isUnmatched))) {
      return upload.remind()
    }
    make({
      article: {
        name: name.trim(),
        clientId: client?.id ?? null,
        wordMinimum: Number(wordMinimum),
        articleText: {},
        ...(template && { templateId: template.id }),
      },
      keywordList: upload.keywordList,
      file: isUnmatched && file !== null ? file : undefined,
    })
  })

  return (
    <DialogForm
      submit="Create"
      busy={busy}
      changed={form.isDirty() || template !== null}
      aside={
        <Checkbox
          label="Create another"
          checked={isSeries}
          onChange={(event) => setIsSeries(event.currentTarget.checked)}
        />
      }
      onSubmit={handleSubmit}
      onCancel={onClose}
    >
      <ArticleFields form={form} />
      <StartFrom template={template} onChoose={startFrom} />
      <div ref={upload.place}>
        <CsvFileField
          {...fieldOf(upload, { isOptional: true })}
          label={
            <>
              CSV Entity List <span className={classes.optional}>optional</span>
            </>
          }
          description="You can also add entities once the article is created."
          placeholder="Choose a file, or drop it here"
        />
        <ReadEntities state={upload.state} isUnmatched={isUnmatched} />
      </div>
      <p className={classes.last} role="status">
        {last !== null && `‘${last}’ was created.`}
      </p>
    </DialogForm>
  )
}
