import { Button, Title } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { MailChoice, MailReader } from '../../../domain/wire/mails.ts'
import { useLoaded, usePageTitle, useSend } from '../../app/app-context.tsx'
import { notices } from '../../app/notices.ts'
import { Refused } from '../../remote/http.ts'
import { createMails } from '../../remote/mails.ts'
import { SteadyButton } from '../../ui/buttons/steady-button.tsx'
import { Banner } from '../../ui/page/banner.tsx'
import classes from './guest-page.module.css'

const FAILURE = 'Error changing your mails'

/**
 * Where 'Stop these mails' of a mail leads. Mails stop by a button, not by opening the page: mail scanners open every
 * link.
 */
export function StopMailsScreen() {
  usePageTitle('Mails')
  useLoaded()
  const [query] = useSearchParams()
  const key = query.get('key') ?? ''
  const mails = useMails()
  const [reader, setReader] = useState<MailReader | null>(null)
  const [isUnknown, setIsUnknown] = useState(key === '')
  const [stopped, setStopped] = useState(false)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    if (key === '') return
    mails.reader(key).then(
      (read) => {
        setReader(read)
        if (read.choice === 'none') setStopped(true)
      },
      (error: unknown) => {
        if (error instanceof Refused && error.status === 404) setIsUnknown(true)
        else notices.fail(FAILURE, error)
      },
    )
  }, [key, mails])

  async function choose(choice: MailChoice) {
    setBusy(true)
    try {
      await mails.choose(key, choice)
      setStopped(choice === 'none')
    } catch (error) {
      notices.fail(FAILURE, error)
    } finally {
      setBusy(false)
    }
  }

  if (isUnknown) {
    return (
      <Banner kind="error" icon={CircleAlert}>
        <strong>This link no longer works.</strong> Log in and choose your mails in Edit Account.
      </Banner>
    )
  }
  /** After 'none', which says nothing of the choice before: daily. */
  const before = reader?.choice === 'none' ? 'daily' : reader?.choice
  return (
    <>
      <Title order={1} className={classes.title}>
        {stopped ? 'Mails about articles are stopped' : 'Stop mails about articles?'}
      </Title>
      <p className={classes.lead} role="status">
        {stopped ? 'You get no more mails about articles.' : reader && `For ${reader.email}.`}
      </p>
      {stopped ? (
        before && (
          <Button
            variant="default"
            fullWidth
            h={42}
            fz={16}
            className={classes.submit}
            onClick={() => void choose(before)}
          >
            Undo
          </Button>
        )
      ) : (
        <SteadyButton
          fullWidth
          h={42}
          fz={16}
          className={classes.submit}
          loading={busy}
          onClick={() => void choose('none')}
        >
          Stop these mails
        </SteadyButton>
      )}
    </>
  )
}

function useMails() {
  const send = useSend()
  return useMemo(() => createMails(send), [send])
}
