import { useEffect, useMemo, useRef, useState } from 'react'
import type { MailChoice, MailSettings } from '../../domain/wire/mails.ts'
import { useApp, useSend } from '../app/app-context.tsx'
import { Refused } from '../remote/http.ts'
import { createMails } from '../remote/mails.ts'

/** Arrow keys pass over options: only one that stays chosen this long is saved. */
const SAVE_AFTER_MS = 600
const SAID_MS = 5_000

/** The own choice of mails, saved as soon as it is made. A choice that could not be saved springs back. */
export function useMailSettings(userId: string) {
  const { clock } = useApp()
  const send = useSend()
  const mails = useMemo(() => createMails(send), [send])
  const [settings, setSettings] = useState<MailSettings | null>(null)
  const [saved, setSaved] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  /** What the server has. */
  const kept = useRef<MailSettings | null>(null)
  /** The newest choice: what became of an earlier one is not shown. */
  const newest = useRef<MailSettings | null>(null)
  const cancel = useRef(() => {})

  useEffect(() => {
    let isShown = true
    mails.settings(userId).then(
      (read) => {
        kept.current = read
        if (isShown) setSettings(read)
      },
      (error: unknown) => {
        if (isShown) setFault(wordsFor(error, 'You need a connection to see this.'))
      },
    )
    return () => {
      isShown = false
    }
  }, [mails, userId])

  function change(next: MailSettings) {
    newest.current = next
    setSettings(next)
    setSaved(false)
    setFault(null)
    cancel.current()
    cancel.current = clock.after(SAVE_AFTER_MS, () => void save(next))
  }

  async function save(next: MailSettings) {
    const { choice, follows } = next
    try {
      await mails.save(userId, { choice, follows })
      kept.current = next
      if (newest.current !== next) return
      setSaved(true)
      cancel.current = clock.after(SAID_MS, () => setSaved(false))
    } catch (error) {
      if (newest.current !== next) return
      setSettings(kept.current)
      setFault(wordsFor(error, 'You need a connection to change this.'))
    }
  }

  return {
    settings,
    saved,
    fault,
    choose: (choice: MailChoice) => settings && change({ ...settings, choice }),
    follow: (follows: string[]) => settings && change({ ...settings, follows }),
  }
}

const wordsFor = (error: unknown, offline: string): string =>
  error instanceof Refused ? error.message : offline
