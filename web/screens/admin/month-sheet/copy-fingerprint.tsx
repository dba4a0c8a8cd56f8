import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClock } from '../../../app/app-context.tsx'
import { notices } from '../../../app/notices.ts'
import { copyText } from '../../../ui/buttons/copy-text.ts'
import { RowAction } from '../../../ui/buttons/row-action.tsx'

const SHOWN_MS = 3_000

/** Copies the whole fingerprint, of which the sheet shows the beginning. */
export function CopyFingerprint({ article, hash }: { article: string; hash: string }) {
  const clock = useClock()
  const [isCopied, setCopied] = useState(false)
  useEffect(
    () => (isCopied ? clock.after(SHOWN_MS, () => setCopied(false)) : undefined),
    [clock, isCopied],
  )

  async function copy() {
    await notices.attempt('Article Error', async () => {
      await copyText(() => hash)
      setCopied(true)
    })
  }

  return (
    <>
      <RowAction
        icon={isCopied ? Check : Copy}
        label={`Copy the fingerprint of ${article}`}
        onClick={() => void copy()}
      />
      <span className="visually-hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
