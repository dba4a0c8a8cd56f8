import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNames } from '../../app/app-context.tsx'
import { Moon } from '../moon/moon.tsx'
import classes from './message-page.module.css'

type MessagePageProps = { title: string; text: string; children?: ReactNode }

/** A page with one message, one action and the support address. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  const { supportEmail } = useNames()
  return (
    <div className={classes.page}>
      <Moon size={64} k={0.18} tone="warn" />
      <Title order={1} fz={32} lh="38px">
        {title}
      </Title>
      <p className={classes.text}>{text}</p>
      {children}
      {supportEmail !== '' && (
        <p className={classes.support}>
          Need help? Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      )}
    </div>
  )
}
