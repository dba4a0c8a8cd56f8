import { Button, Group } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EMPTY_DOCUMENT } from '../../../../domain/text/document.ts'
import type { ArticleView } from '../../../../sync/status/article-view.ts'
import { useSync } from '../../../app/app-context.tsx'
import { paths } from '../../../app/paths.ts'
import { MessagePage } from '../../../ui/page/message-page.tsx'
import { BlockedTextActions, KeptTextActions } from '../../../unsent/blocked-text-actions.tsx'
import { NextTry } from '../../../unsent/next-try.tsx'
import type { Retry } from '../use-article.ts'
import classes from './refused-article.module.css'

type RefusedArticleProps = { message: string; view: ArticleView | null; retry: Retry | null }

/** The server does not give this article out. What was written here and not sent can still be taken away (Q49). */
export function RefusedArticle({ message, view, retry }: RefusedArticleProps) {
  const unsent = view?.hasText && (view.blocked !== null || view.saveLine !== 'saved')
  return (
    <MessagePage
      title={retry ? 'This article can’t be opened right now' : 'This article cannot be opened'}
      text={`${message}.`.replace(/\.+$/, '.')}
    >
      {retry && (
        <p>
          The server had a problem. <NextTry at={retry.dueAt} />
        </p>
      )}
      {unsent && <UnsentText view={view} />}
      <Group>
        {retry && <Button onClick={retry.tryAgain}>Try again</Button>}
        <Button component={Link} to={paths.landing} variant={retry ? 'default' : 'filled'}>
          Home
        </Button>
      </Group>
    </MessagePage>
  )
}

function UnsentText({ view }: { view: ArticleView }) {
  const { id, name, blocked } = view
  const sync = useSync()
  const read = async () => {
    const text = await sync.open(id)
    await text?.close()
    return text?.document ?? EMPTY_DOCUMENT
  }
  return (
    <>
      <p>
        {blocked?.sentAt
          ? `The agency has your changes to ‘${name}’. They are saved on this computer too.`
          : `Your changes to ‘${name}’ have not been sent. They are saved on this computer.`}
      </p>
      <p className={classes.kept}>
        {blocked ? (
          <BlockedTextActions articleId={id} name={name} blocked={blocked} read={read} />
        ) : (
          <KeptTextActions name={name} read={read} />
        )}
      </p>
    </>
  )
}
