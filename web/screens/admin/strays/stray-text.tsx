import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { copiedText } from '../../../../domain/copied-text.ts'
import { asDocument } from '../../../../domain/document.ts'
import type { Stray } from '../../../../domain/wire-strays.ts'
import { useApp } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { EmptyPlace } from '../../../ui/empty-place.tsx'
import { wordsOf } from '../../../ui/figure.ts'
import { textFileName } from '../../../ui/file-name.ts'
import { LoadingRing } from '../../../ui/loading-ring.tsx'
import { SteadyButton } from '../../../ui/steady-button.tsx'
import { useKeptText } from '../../../unsent/kept-text.ts'
import { useStrays } from '../use-remote.ts'
import classes from './strays-screen.module.css'
import { useMark } from './use-mark.ts'

/** The words to read, and the ways to take them over into an article. */
export function StrayText({ stray, onClose }: { stray: Stray; onClose: () => void }) {
  const strays = useStrays()
  const place = useRef<HTMLElement>(null)
  const { data, isError, refetch } = useQuery({
    queryKey: ['strays', 'text', stray.id],
    queryFn: async () => asDocument((await strays.read(stray.id)).articleText),
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
        {stray.author.name}, {wordsOf(stray.words)}
      </p>
      <section ref={place} className={classes.text} {...SCROLLED}>
        {data !== undefined && <p className={classes.words}>{copiedText(data)}</p>}
        {data === undefined && !isError && <LoadingRing />}
        {data === undefined && isError && <NotLoaded onRetry={handleRetry} />}
      </section>
      <Actions stray={stray} onClose={onClose} text={data} />
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
  stray: Stray
  onClose: () => void
  text: ReturnType<typeof asDocument> | undefined
}

function Actions({ stray, onClose, text }: ActionsProps) {
  const { saveFile } = useApp()
  const { copyText } = useKeptText(stray.article.name, () => text ?? asDocument({}))
  const { busy, make } = useMark(stray, onClose)

  async function download() {
    try {
      const { htmlOf } = await import('../articles/html-file-document.ts')
      saveFile(textFileName(stray.article.name), htmlOf(text ?? asDocument({})))
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
      {stray.doneAt === null && (
        <SteadyButton loading={busy} onClick={() => make(true)}>
          Mark as done
        </SteadyButton>
      )}
    </div>
  )
}
