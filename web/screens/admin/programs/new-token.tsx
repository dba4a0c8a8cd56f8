import { Button, TextInput } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { NewProgramToken } from '../../../../domain/wire/program-tokens.ts'
import { notices } from '../../../app/notices.ts'
import { copyText } from '../../../ui/buttons/copy-text.ts'
import classes from './program-access.module.css'

/** Shows a token, which is not shown again. */
export function NewToken({ made, onDone }: { made: NewProgramToken; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const copy = () =>
    notices.attempt('Error copying the access token', async () => {
      await copyText(() => made.token)
      setCopied(true)
    })
  return (
    <>
      <div className={classes.scroll}>
        <TextInput
          label={`Access token of ${made.name}`}
          description="Copy it into the program now. It is not shown again."
          readOnly
          value={made.token}
          classNames={{ input: classes.token ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <span className="visually-hidden" role="status">
          {isCopied && 'Copied'}
        </span>
      </div>
      <div className={classes.actions}>
        <Button
          ref={button}
          variant="default"
          leftSection={
            isCopied ? (
              <Check size={16} aria-hidden />
            ) : (
              <Copy size={16} strokeWidth={1.7} aria-hidden />
            )
          }
          onClick={() => void copy()}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </>
  )
}
