import { Tabs } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Article, ArticleSettings } from '../../../../domain/wire/articles.ts'
import { notices } from '../../../app/notices.ts'
import { focusFirstFault } from '../../../field-rules.ts'
import { DialogForm } from '../../../ui/dialogs/form-dialog.tsx'
import { useChange } from '../use-change.ts'
import { useArticles } from '../use-remote.ts'
import type { ArticleEditing } from './article-dialogs.tsx'
import { ArticleFields, type ArticleFieldValues, articleRules } from './article-fields.tsx'
import classes from './article-forms.module.css'
import { ArticleSteps } from './article-steps.tsx'
import { changedSettings } from './changed-settings.ts'
import { EntitiesTab } from './entities-tab.tsx'
import { useUpload } from './use-upload.ts'

type EditArticleProps = ArticleEditing & {
  onModified: (article: Article) => void
  onClose: () => void
}

export function EditArticle({ article, tab: first, file, ...props }: EditArticleProps) {
  const { onModified, onClose } = props
  const articles = useArticles()
  const [tab, setTab] = useState<string | null>(first ?? 'settings')
  const upload = useUpload(article.keywordList, {
    file,
    onDropped: () => setTab('entities'),
  })
  const { busy, make } = useChange<ArticleSettings, Article>({
    call: (changes) => articles.modify(article.id, changes),
    failure: 'Error modifying article',
    onDone: ({ name = article.name }, modified) => {
      notices.success('Article modified', name)
      onModified(modified)
      onClose()
    },
  })
  const form = useForm<ArticleFieldValues>({
    initialValues: {
      name: article.name,
      wordMinimum: String(article.wordMinimum),
      client: article.clientId,
    },
    validate: articleRules,
  })

  const handleSubmit = form.onSubmit(
    (fields) => {
      if (upload.isUnfinished) return showUnfinished()
      const changes = changedSettings(article, { ...fields, keywordList: upload.keywordList })
      if (Object.keys(changes).length === 0) onClose()
      else make(changes)
    },
    (errors) => {
      // What is hidden cannot take the focus.
      flushSync(() => setTab('settings'))
      focusFirstFault(form, errors)
    },
  )

  function showUnfinished() {
    flushSync(() => setTab('entities'))
    upload.remind()
  }

  return (
    <DialogForm
      submit="Modify"
      ruled
      busy={busy}
      changed={form.isDirty()}
      onSubmit={() => handleSubmit()}
      onCancel={onClose}
    >
      <Tabs
        ref={upload.place}
        value={tab}
        onChange={setTab}
        keepMounted
        classNames={{ list: classes.tabs ?? '' }}
      >
        <Tabs.List>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="entities">Entities</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings" className={classes.settings ?? ''}>
          <div className={classes.fields}>
            <ArticleFields form={form} minimumWidth={220} />
          </div>
          <ArticleSteps />
        </Tabs.Panel>
        <Tabs.Panel value="entities" className={classes.panel ?? ''} onKeyDown={keepFromSending}>
          <EntitiesTab upload={upload} articleName={article.name} />
        </Tabs.Panel>
      </Tabs>
    </DialogForm>
  )
}

/** Enter in the search of the keywords is no wish to save the article. */
function keepFromSending(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}
