import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { copiedText } from '../../../../domain/exports/copied-text.ts'
import { asDocument } from '../../../../domain/text/document.ts'
import type { UndeliveredText } from '../../../../domain/wire/undelivered.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { SteadyButton } from '../../../ui/buttons/steady-button.tsx'
import { EmptyPlace } from '../../../ui/lists/empty-place.tsx'
import { LoadingRing } from '../../../ui/page/loading-ring.tsx'
import { wordsOf } from '../../../ui/words/figure.ts'
import { textFileName } from '../../../ui/words/file-name.ts'
import { useKeptText } from '../../../unsent/kept-text.ts'
import { useUndeliveredTexts } from '../use-remote.ts'
import classes from './undelivered-texts-screen.module.css'
import { useMark } from './use-mark.ts'

/** The words to read, and the ways to take them over into an article. */
export function UndeliveredTextView({
  undelivered,
  onClose,
}: {
  undelivered: UndeliveredText
  onClose: () => void
}) {
  const undeliveredTexts = useUndeliveredTexts()
  const place = useRef<HTMLElement>(null)
  const { data, isError, refetch } = useQuery({
    queryKey: ['undelivered-texts', 'text', undelivered.id],
    queryFn: async () => asDocument((await undeliveredTexts.read(undelivered.id)).articleText),
    meta: { failure: 'Error retrieving text' },
  })

  function handleRetry() {
    // The pressed button goes, and the focus would go with it.
    place.current?.focus()
    void refetch()
  }

  return (
    <>
      <p className={classes.from}>
        {undelivered.author.name}, {wordsOf(undelivered.words)}
      </p>
      <section ref={place} className={classes.text} {...SCROLLED}>
        {data !== undefined && <p className={classes.words}>{copiedText(data)}</p>}
        {data === undefined && !isError && <LoadingRing />}
        {data === undefined && isError && <NotLoaded onRetry={handleRetry} />}
      </section>
      <Actions undelivered={undelivered} onClose={onClose} text={data} />
    </>
  )
}

/** A long text is scrolled by keyboard too. */
const SCROLLED = { tabIndex: 0, 'aria-label': 'Text' }

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyPlace line="The text could not be loaded." failed>
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </EmptyPlace>
  )
}

type ActionsProps = {
  undelivered: UndeliveredText
  onClose: () => void
  text: ReturnType<typeof asDocument> | undefined
}

function Actions({ undelivered, onClose, text }: ActionsProps) {
  const { saveFile } = useApp()
  const { copyText } = useKeptText(undelivered.article.name, () => text ?? asDocument({}))
  const { busy, make } = useMark(undelivered, onClose)

  async function download() {
    try {
      const { htmlOf } = await import('../../../../domain/exports/article-html.ts')
      saveFile(textFileName(undelivered.article.name), htmlOf(text ?? asDocument({})))
    } catch (error) {
      notices.fail('Article Error', error)
    }
  }

  return (
    <div className={classes.actions}>
      <Button variant="default" disabled={!text} onClick={() => void copyText()}>
        Copy text
      </Button>
      <Button variant="default" disabled={!text} onClick={() => void download()}>
        Download HTML
      </Button>
      {undelivered.doneAt === null && (
        <SteadyButton loading={busy} onClick={() => make(true)}>
          Mark as done
        </SteadyButton>
      )}
    </div>
  )
}
