import { Button } from '@mantine/core'
import { useApp, useNames } from '../app/app-context.tsx'
import { notices } from '../app/notices.ts'
import { copyText } from '../ui/buttons/copy-text.ts'
import classes from './second-step.module.css'

/** The codes, which are shown this once. */
export function RecoveryCodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { saveFile } = useApp()
  const { productName } = useNames()
  const text = `Recovery codes of ${productName}\nEach works once.\n\n${codes.join('\n')}\n`

  const copy = () =>
    notices.attempt('Error copying the codes', async () => {
      await copyText(() => text)
      notices.success('Codes copied', 'Paste them into a safe place.')
    })

  return (
    <div className={classes.step}>
      <p>
        <strong>Keep these recovery codes in a safe place.</strong> Each lets you log in once if you
        lose your passkey or phone. They are not shown again.
      </p>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="default" onClick={() => saveFile('Recovery codes.txt', text)}>
          Save as a file
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
    </div>
  )
}
