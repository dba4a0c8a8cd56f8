import { Button, Group } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EMPTY_DOCUMENT } from '../../../domain/document.ts'
import type { ArticleView } from '../../../sync/views.ts'
import { useSync } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { MessagePage } from '../../ui/message-page.tsx'
import { useKeptText } from './kept-text.ts'

type RefusedArticleProps = { message: string; view: ArticleView | null }

/** The server does not give this article out. What was written here and not sent can still be taken away (Q49). */
export function RefusedArticle({ message, view }: RefusedArticleProps) {
  const unsent = view?.hasText && (view.held !== null || view.saveLine !== 'saved')
  return (
    <MessagePage title="This article cannot be opened" text={`${message}.`.replace(/\.+$/, '.')}>
      {unsent && <UnsentText view={view} />}
      <Button component={Link} to={paths.landing}>
        Home
      </Button>
    </MessagePage>
  )
}

function UnsentText({ view: { id, name } }: { view: ArticleView }) {
  const sync = useSync()
  const { copyText, downloadText } = useKeptText(name, async () => {
    const text = await sync.open(id)
    await text?.close()
    return text?.document ?? EMPTY_DOCUMENT
  })
  return (
    <>
      <p>Your changes to ‘{name}’ have not been sent. They are kept on this computer.</p>
      <Group mt={8} mb={24}>
        <Button variant="default" onClick={copyText}>
          Copy text
        </Button>
        <Button variant="default" onClick={downloadText}>
          Download as text
        </Button>
      </Group>
    </>
  )
}
